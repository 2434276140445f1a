import { appendFileSync, closeSync, fdatasyncSync, mkdirSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ImportJournal, JournalEntry } from '../../domain/ports/commands/import-journal.ts';
import type { FoundFile } from '../../domain/ports/commands/import-source.ts';
import { lastLines } from './last-lines.ts';
import { ignoreMissing } from './translating-file-system-errors.ts';

/** Entries between two fsyncs. A power cut can lose as many. */
const SYNC_EVERY = 500;

/** A file of JSON lines that only grows. The last entry of a path counts; a line that was cut off counts as missing. */
export class FileImportJournal implements ImportJournal {
  private file: number | undefined;
  private unsynced = 0;

  private constructor(
    private readonly path: string,
    private readonly entries: Map<string, JournalEntry>,
  ) {}

  /** Rejects with the error of the system if there is something at the path that cannot be written, such as a folder. */
  static async requireWritable(path: string): Promise<void> {
    const file = await open(path, 'r+').catch(ignoreMissing);
    await file?.close();
  }

  /** Makes the file with its first entry. */
  static async open(path: string): Promise<FileImportJournal> {
    return new FileImportJournal(path, await lastLines<JournalEntry>(path, 'path', 'outcome'));
  }

  find({ path, size, modifiedMs }: FoundFile): JournalEntry | undefined {
    const entry = this.entries.get(path);
    return entry?.size === size && entry.modifiedMs === modifiedMs ? entry : undefined;
  }

  /** One short write into the page cache: lines of several processes do not mix, and a kill loses none. */
  add(entry: JournalEntry): void {
    this.file ??= openToAppend(this.path);
    appendFileSync(this.file, `${JSON.stringify(entry)}\n`);
    this.entries.set(entry.path, entry);
    this.unsynced = (this.unsynced + 1) % SYNC_EVERY;
    if (this.unsynced === 0) fdatasyncSync(this.file);
  }

  close(): void {
    if (this.file === undefined) return;
    fdatasyncSync(this.file);
    closeSync(this.file);
  }
}

function openToAppend(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'a', 0o600);
  // Ends a line that was cut off. An empty line means nothing.
  appendFileSync(file, '\n');
  return file;
}
