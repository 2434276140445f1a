import type { FoundFile } from './import-source.ts';

export interface JournalEntry extends FoundFile {
  readonly outcome: 'created' | 'present' | 'refused';
  /** The id of the image. */
  readonly id?: number | undefined;
  /** Why it was refused. */
  readonly code?: string | undefined;
}

/** Remembers between runs what became of each file. A lost entry costs a look-up, and never an image. */
export interface ImportJournal {
  /** `undefined` if the file is new or has changed. */
  find(file: FoundFile): JournalEntry | undefined;

  /** May return before the entry would survive a power cut. */
  add(entry: JournalEntry): void;
}
