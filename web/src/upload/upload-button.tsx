import { useId } from 'react';
import { useStore } from '../base/use-store.ts';
import { Button } from '../controls/button.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { useConfig } from '../session/use-config.ts';
import { useRights } from '../session/use-rights.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { canPickFolders, canTakePhotos, pickFolder, pickPictures, takePhoto } from './pick-files.ts';
import { uploadTexts } from './upload-texts.ts';
import { useUploads } from './use-uploads.ts';
import './upload-button.css';

const ID = 'upload-button';

/** For parts of the page that disappear with the focus. */
export function focusUploadButton(): void {
  document.getElementById(ID)?.focus();
}

/** Picks files; shows the progress of all uploads as a ring. */
export function UploadButton(): React.JSX.Element | null {
  const rights = useRights();
  const uploads = useUploads();
  const { inputFormats } = useConfig();
  const { waiting, progress } = useStore(uploads.summary);
  const pick = (): void => pickPictures(inputFormats, (files) => uploads.add(files));
  useShortcut('u', pick, { enabled: rights.write });
  const label = waiting === 0 ? uploadTexts().button : uploadTexts().buttonBusy(Math.floor(progress * 100));
  if (!rights.write) return null;
  return (
    <div className="upload-button">
      <IconButton id={ID} icon="upload" label={label} onClick={pick}>
        {waiting > 0 && <Ring progress={progress} />}
      </IconButton>
      {(canPickFolders() || canTakePhotos()) && <WaysToUpload onPick={pick} />}
    </div>
  );
}

function Ring({ progress }: { readonly progress: number }): React.JSX.Element {
  return (
    <svg className="upload-ring" viewBox="0 0 44 44" aria-hidden="true">
      <circle cx="22" cy="22" r="19" pathLength="1" />
      <circle cx="22" cy="22" r="19" pathLength="1" strokeDasharray="1" strokeDashoffset={1 - progress} />
    </svg>
  );
}

function WaysToUpload({ onPick }: { readonly onPick: () => void }): React.JSX.Element {
  const uploads = useUploads();
  const id = useId();
  const pickAll = (): void => pickFolder((files) => uploads.add(files, { fromFolder: true }));
  const ways = [
    { label: uploadTexts().files, run: onPick },
    ...(canPickFolders() ? [{ label: uploadTexts().folder, run: pickAll }] : []),
    ...(canTakePhotos()
      ? [{ label: uploadTexts().photo, run: () => takePhoto((files) => uploads.add(files)) }]
      : []),
  ];
  const close = (): void => document.getElementById(id)?.hidePopover();
  return (
    <div className="upload-ways">
      <IconButton icon="chevron-down" label={uploadTexts().more} popoverTarget={id} />
      <div id={id} popover="auto" className="floating upload-menu" onToggle={focusFirst}>
        {ways.map(({ label, run }) => (
          <Button
            key={label}
            data-kind="quiet"
            onClick={() => {
              close();
              run();
            }}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}

function focusFirst({ newState, currentTarget }: React.ToggleEvent<HTMLElement>): void {
  if (newState === 'open') currentTarget.querySelector('button')?.focus();
}
