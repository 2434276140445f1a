import { useRef } from 'react';
import { useStore } from '../base/use-store.ts';
import { Button } from '../controls/button.tsx';
import type { IconName } from '../controls/icon.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { useLostFocus } from '../controls/use-lost-focus.ts';
import { useConfig } from '../session/use-config.ts';
import { troubleTexts } from '../trouble/trouble-texts.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { focusAnother } from './focus-another.ts';
import { isUnfinished } from './is-unfinished.ts';
import type { UploadItem, UploadState } from './upload-item.ts';
import { uploadTexts } from './upload-texts.ts';
import { UploadThumbnail } from './upload-thumbnail.tsx';
import { rowText } from './upload-words.ts';
import { useUploads } from './use-uploads.ts';

interface UploadRowProps {
  readonly item: UploadItem;
  /** From 0. */
  readonly position: number;
  readonly count: number;
  /** Pixels. */
  readonly top: number;
}

export function UploadRow({ item, position, count, top }: UploadRowProps): React.JSX.Element {
  const config = useConfig();
  const state = useStore(item.state);
  const row = useRef<HTMLLIElement>(null);
  useLostFocus(row, () => focusAnother(row.current));
  return (
    <li
      ref={row}
      className="upload-row"
      data-state={state.kind}
      aria-setsize={count}
      aria-posinset={position + 1}
      style={{ transform: `translateY(${top}px)` }}
    >
      <UploadThumbnail item={item} />
      <div className="upload-row-text">
        <p className="upload-row-name" title={item.name}>
          {item.name}
        </p>
        <p className="upload-row-state">{rowText(state, item.size, config.inputFormats)}</p>
        {state.kind === 'uploading' && (
          <progress className="upload-progress" aria-label={item.name} max={item.size} value={state.sent} />
        )}
      </div>
      <RowActions item={item} state={state} />
    </li>
  );
}

interface RowActionsProps {
  readonly item: UploadItem;
  readonly state: UploadState;
}

function RowActions({ item, state }: RowActionsProps): React.JSX.Element | null {
  const addressBar = useAddressBar();
  const uploads = useUploads();
  const image = imageOf(state);
  if (image !== undefined) {
    return (
      <TextButton label={uploadTexts().show} name={item.name} onClick={() => addressBar.push({ image })} />
    );
  }
  if (state.kind === 'failed' || state.kind === 'cancelled') {
    return <TextButton label={troubleTexts().retry} name={item.name} onClick={() => uploads.retry(item)} />;
  }
  if (!isUnfinished(state)) return null;
  const { pause, resume, cancel } = uploadTexts();
  const pausing =
    state.kind === 'paused'
      ? ({ icon: 'play', label: resume, onClick: () => uploads.resume(item) } as const)
      : ({ icon: 'pause', label: pause, onClick: () => uploads.pause(item) } as const);
  return (
    <>
      <RowButton {...pausing} name={item.name} />
      <RowButton icon="close" label={cancel} name={item.name} onClick={() => uploads.cancel(item)} />
    </>
  );
}

function imageOf(state: UploadState): number | undefined {
  if (state.kind === 'uploaded' || state.kind === 'known') return state.image;
  return state.kind === 'repeated' ? imageOf(state.first.state.get()) : undefined;
}

interface RowButtonProps {
  readonly label: string;
  readonly name: string;
  readonly onClick: () => void;
}

function TextButton({ label, name, onClick }: RowButtonProps): React.JSX.Element {
  return (
    <Button aria-label={uploadTexts().actionOn(label, name)} onClick={onClick}>
      {label}
    </Button>
  );
}

function RowButton({
  icon,
  label,
  name,
  onClick,
}: RowButtonProps & { readonly icon: IconName }): React.JSX.Element {
  return (
    <IconButton
      icon={icon}
      label={label}
      aria-label={uploadTexts().actionOn(label, name)}
      onClick={onClick}
    />
  );
}
