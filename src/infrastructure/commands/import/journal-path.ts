import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** What tells one import from another, for its journal. */
export interface Journaled {
  /** Absolute. */
  readonly folder: string;
  /** Tells catalogs and spaces apart. */
  readonly catalog: string;
  /** The file of `--journal`. */
  readonly journal: string | undefined;
}

/** One for each folder and catalog, where programs keep their state: XDG Base Directory Specification. */
export function journalPath({ folder, catalog, journal }: Journaled, stateHome: string | undefined): string {
  if (journal !== undefined) return resolve(journal);
  const name = createHash('sha256').update(`${folder}\n${catalog}`).digest('hex').slice(0, 16);
  return join(stateHome || join(homedir(), '.local/state'), 'image-catalog', `import-${name}.jsonl`);
}
