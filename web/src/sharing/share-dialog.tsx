import { useState } from 'react';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useImages } from '../images/use-images.ts';
import { texts } from '../languages/texts.ts';
import { useSelection } from '../selection/use-selection.ts';
import { inOrderOfView } from './in-order-of-view.ts';
import { LIFETIMES, type Lifetime, MAX_SHARED, type SharedPage } from './share-pictures.ts';
import { type Share, useShare } from './use-share.ts';

/** Makes a page of the selected pictures that needs no sign-in. */
export function ShareDialog({ onClose }: { readonly onClose: () => void }): React.JSX.Element {
  const images = useImages();
  const selection = useSelection();
  // Those of when it was opened.
  const [ids] = useState(() => inOrderOfView(selection.ids.get(), images.list.get()));
  const share = useShare(ids);
  const isTooMany = ids.length > MAX_SHARED;
  return (
    <FormDialog
      title={texts.share.title(ids.length)}
      submit={share.page === undefined ? texts.share.create : texts.share.copy}
      close={share.page === undefined ? texts.share.cancel : texts.share.done}
      isDisabled={isTooMany || share.isRunning}
      onSubmit={share.page === undefined ? share.create : share.copy}
      onClose={onClose}
    >
      {isTooMany && (
        <p className="form-problem" role="alert">
          {texts.share.tooMany(MAX_SHARED)}
        </p>
      )}
      {share.page === undefined ? <Choices share={share} /> : <Made page={share.page} />}
    </FormDialog>
  );
}

function Choices({ share }: { readonly share: Share }): React.JSX.Element {
  return (
    <>
      <label className="form-label">
        {texts.share.pageTitle}
        <input
          className="form-input"
          type="text"
          maxLength={100}
          autoComplete="off"
          placeholder={texts.share.optional}
          value={share.title}
          onChange={({ target }) => share.setTitle(target.value)}
        />
      </label>
      <label className="form-label">
        {texts.share.validFor}
        <select
          className="form-input"
          value={share.lifetime}
          onChange={({ target }) => share.setLifetime(Number(target.value) as Lifetime)}
        >
          {LIFETIMES.map((seconds) => (
            <option key={seconds} value={seconds}>
              {texts.share.days(seconds / 86_400)}
            </option>
          ))}
        </select>
      </label>
      <p className="form-hint">{texts.share.warning}</p>
    </>
  );
}

function Made({ page }: { readonly page: SharedPage }): React.JSX.Element {
  return (
    <>
      <label className="form-label">
        {texts.share.address}
        <input className="form-input" readOnly value={page.url} ref={selectAll} />
      </label>
      <output className="form-hint">
        {texts.share.validUntil(page.expiresAt)} {page.missing > 0 && texts.share.missing(page.missing)}
      </output>
    </>
  );
}

function selectAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
