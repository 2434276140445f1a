import { useEffect, useEffectEvent, useRef } from 'react';
import { listen } from '../base/listen.ts';
import { Icon } from '../controls/icon.tsx';
import { useNotices } from '../notices/use-notices.ts';
import { useConfig } from '../session/use-config.ts';
import { useRights } from '../session/use-rights.ts';
import { failureText } from '../states/failure-text.ts';
import { filesOf } from './dropped-files.ts';
import { droppedOf } from './dropped-of.ts';
import { listenForDrops } from './listen-for-drops.ts';
import { pastedFiles } from './pasted-files.ts';
import { uploadTexts } from './upload-texts.ts';
import { useUploads } from './use-uploads.ts';
import './drop-zone.css';

/** Takes files that are dropped or pasted anywhere. */
export function DropZone(): React.JSX.Element {
  const uploads = useUploads();
  const config = useConfig();
  const notices = useNotices();
  const rights = useRights();
  // A popover lies above open dialogs.
  const overlay = useRef<HTMLDivElement>(null);
  // A person who brings files all the same is told why not.
  const refuse = (): void => {
    const refusal = config.readOnly
      ? ({ kind: 'read_only' } as const)
      : ({ kind: 'forbidden', scope: config.scopes.write ?? undefined } as const);
    notices.show(failureText(refusal), { tone: 'error' });
  };
  const drag = useEffectEvent((over: boolean): void => {
    if (rights.write) overlay.current?.togglePopover(over);
  });
  const drop = useEffectEvent((data: DataTransfer): void => {
    if (!rights.write) {
      refuse();
      return;
    }
    const { files, folders } = droppedOf(data.items);
    if (files.length > 0) uploads.add(files);
    if (folders.length > 0) uploads.add(filesOf(folders), { fromFolder: true });
  });
  const paste = useEffectEvent((event: ClipboardEvent): void => {
    const files = pastedFiles(event);
    if (files.length === 0) return;
    event.preventDefault();
    if (rights.write) uploads.add(files);
    else refuse();
  });
  useEffect(() => listenForDrops({ onDrag: drag, onDrop: drop }), []);
  useEffect(() => listen(document, { paste }), []);
  return (
    <div ref={overlay} popover="manual" className="drop-zone">
      <p className="floating drop-zone-text">
        <Icon name="upload" />
        {uploadTexts().drop}
      </p>
    </div>
  );
}
