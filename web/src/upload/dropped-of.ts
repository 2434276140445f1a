import type { Dropped, DroppedEntry, DroppedItem } from './dropped-files.ts';

/** Call it in the handler of the event. */
export function droppedOf(items: Iterable<DroppedItem>): Dropped {
  const files: File[] = [];
  const folders: DroppedEntry[] = [];
  for (const item of items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry?.();
    const file = item.getAsFile();
    if (entry?.isDirectory === true) folders.push(entry);
    else if (file !== null) files.push(file);
  }
  return { files, folders };
}
