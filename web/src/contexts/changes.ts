import type { ArchiveDownload } from '../archive/archive-download.ts';
import type { Deletions } from '../deletion/deletions.ts';
import type { Stars } from '../star/stars.ts';
import type { Uploads } from '../upload/uploads.ts';
import { requiredContext } from './required-context.ts';

/** Changes of the catalog that are under way. */
export interface Changes {
  readonly archive: ArchiveDownload;
  readonly deletions: Deletions;
  readonly stars: Stars;
  readonly uploads: Uploads;
}

export const [ChangesProvider, useChanges] = requiredContext<Changes>();
