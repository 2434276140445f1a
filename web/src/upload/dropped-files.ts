import { isSystemEntry } from './is-system-entry.ts';

/** The parts of the File and Directory Entries API that are used here. */
export interface DroppedEntry {
  readonly name: string;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

interface DroppedFile extends DroppedEntry {
  file(resolve: (file: File) => void, reject: (error: unknown) => void): void;
}

interface DroppedFolder extends DroppedEntry {
  createReader(): {
    readEntries(resolve: (entries: DroppedEntry[]) => void, reject: (error: unknown) => void): void;
  };
}

export interface Dropped {
  /** Chosen directly. */
  readonly files: readonly File[];
  readonly folders: readonly DroppedEntry[];
}

/** Only available while the event is handled. */
export interface DroppedItem {
  readonly kind: string;
  getAsFile(): File | null;
  webkitGetAsEntry?(): DroppedEntry | null;
}

/** A nested folder that a system or a storage device keeps, and that was not read. */
export interface SkippedFolder {
  readonly skippedFolder: string;
}

/**
 * Reads nested folders one after the other, as the files are taken. What cannot be read is left out. The names of the given folders
 * do not matter, because the person has chosen them.
 */
export async function* filesOf(
  folders: readonly DroppedEntry[],
): AsyncGenerator<File | SkippedFolder, void, undefined> {
  const open = [...folders];
  for (let folder = open.shift(); folder !== undefined; folder = open.shift()) {
    const nested: DroppedEntry[] = [];
    for await (const entry of entriesOf(folder as DroppedFolder)) {
      if (entry.isDirectory && isSystemEntry(entry.name)) yield { skippedFolder: entry.name };
      else if (entry.isDirectory) nested.push(entry);
      else if (entry.isFile) yield* await fileOf(entry as DroppedFile);
    }
    open.unshift(...nested);
  }
}

/** Browsers return at most 100 entries at a time, and an empty list at the end. */
async function* entriesOf(folder: DroppedFolder): AsyncGenerator<DroppedEntry, void, undefined> {
  const reader = folder.createReader();
  for (;;) {
    const entries = await new Promise<DroppedEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (entries.length === 0) return;
    yield* entries;
  }
}

async function fileOf(entry: DroppedFile): Promise<readonly File[]> {
  return await new Promise((resolve) =>
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    ),
  );
}
