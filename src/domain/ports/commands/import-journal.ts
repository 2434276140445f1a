import type { FileKind } from '../../image/file-kind.ts';
import type { FoundFile } from './import-source.ts';

export type JournalEntry = FoundFile &
  (
    | { readonly outcome: 'created' | 'present'; readonly id: number }
    /** It was refused for what is in the file; `kind` if that is its type. */
    | { readonly outcome: 'refused'; readonly code: string; readonly kind?: FileKind | undefined }
  );

/** Remembers between runs what became of each file. A lost entry costs a look-up, and never an image. */
export interface ImportJournal {
  /** `undefined` if the file is new or has changed. */
  find(file: FoundFile): JournalEntry | undefined;

  /** May return before the entry would survive a power cut. */
  add(entry: JournalEntry): void;
}
