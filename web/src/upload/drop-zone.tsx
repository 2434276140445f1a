import { useEffect, useEffectEvent, useRef } from 'react';
import { useChanges } from '../contexts/changes.ts';
import { Icon } from '../icons/icon.tsx';
import { texts } from '../texts.ts';
import { droppedOf, filesOf } from './dropped-files.ts';
import { listenForDrops } from './listen-for-drops.ts';
import { pastedFiles } from './pasted-files.ts';
import './drop-zone.css';

/** Takes files that are dropped or pasted anywhere. */
export function DropZone(): React.JSX.Element {
  const { uploads } = useChanges();
  // A popover lies above open dialogs.
  const overlay = useRef<HTMLDivElement>(null);
  const drop = useEffectEvent((data: DataTransfer): void => {
    const { files, folders } = droppedOf(data.items);
    if (files.length > 0) uploads.add(files);
    if (folders.length > 0) uploads.add(filesOf(folders), { fromFolder: true });
  });
  const paste = useEffectEvent((event: ClipboardEvent): void => {
    const files = pastedFiles(event);
    if (files.length === 0) return;
    event.preventDefault();
    uploads.add(files);
  });
  useEffect(
    () => listenForDrops({ onDrag: (over) => overlay.current?.togglePopover(over), onDrop: drop }),
    [],
  );
  useEffect(() => {
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
  return (
    <div ref={overlay} popover="manual" className="drop-zone">
      <p className="floating drop-zone-text">
        <Icon name="upload" />
        {texts.upload.drop}
      </p>
    </div>
  );
}
