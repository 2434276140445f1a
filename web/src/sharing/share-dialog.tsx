import { useState } from 'react';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useImages } from '../images/use-images.ts';
import { commonTexts } from '../languages/common-texts.ts';
import { selectionTexts } from '../selection/selection-texts.ts';
import { useSelection } from '../selection/use-selection.ts';
import { Waiting } from '../states/waiting.tsx';
import { inOrderOfView } from './in-order-of-view.ts';
import { LIFETIMES, type Lifetime, MAX_SHARED, type SharedPage } from './share-pictures.ts';
import { sharingTexts } from './sharing-texts.ts';
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
      title={sharingTexts().title(ids.length)}
      submit={share.page === undefined ? sharingTexts().create : sharingTexts().copy}
      close={share.page === undefined ? commonTexts().cancel : sharingTexts().done}
      isDisabled={isTooMany || share.isRunning}
      onSubmit={share.page === undefined ? share.create : share.copy}
      onClose={onClose}
    >
      {isTooMany && (
        <p className="form-problem" role="alert">
          {sharingTexts().tooMany(MAX_SHARED)}
        </p>
      )}
      {share.page === undefined ? <Choices share={share} /> : <Made page={share.page} />}
      {share.isRunning && <Waiting back={onClose} />}
    </FormDialog>
  );
}

function Choices({ share }: { readonly share: Share }): React.JSX.Element {
  return (
    <>
      <label className="form-label">
        {sharingTexts().pageTitle}
        <input
          className="form-input"
          type="text"
          maxLength={100}
          autoComplete="off"
          placeholder={sharingTexts().optional}
          value={share.title}
          onChange={({ target }) => share.setTitle(target.value)}
        />
      </label>
      <label className="form-label">
        {sharingTexts().validFor}
        <select
          className="form-input"
          value={share.lifetime}
          onChange={({ target }) => share.setLifetime(Number(target.value) as Lifetime)}
        >
          {LIFETIMES.map((seconds) => (
            <option key={seconds} value={seconds}>
              {sharingTexts().days(seconds / 86_400)}
            </option>
          ))}
        </select>
      </label>
      <p className="form-hint">{sharingTexts().warning}</p>
    </>
  );
}

function Made({ page }: { readonly page: SharedPage }): React.JSX.Element {
  return (
    <>
      <label className="form-label">
        {sharingTexts().address}
        <input className="form-input" readOnly value={page.url} ref={selectAll} />
      </label>
      <output className="form-hint">
        {sharingTexts().validUntil(page.expiresAt)}{' '}
        {page.missing > 0 && selectionTexts().missing(page.missing)}
      </output>
    </>
  );
}

function selectAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
