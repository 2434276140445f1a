import type { ArchiveDownload } from '../archive/archive-download.ts';
import type { Deletions } from '../deletion/deletions.ts';
import type { LivePictures } from '../live/live-pictures.ts';
import type { Stars } from '../star/stars.ts';
import type { Uploads } from '../upload/uploads.ts';
import { requiredContext } from './required-context.ts';

/** Changes of the catalog that are under way, here and elsewhere. */
export interface Changes {
  readonly archive: ArchiveDownload;
  readonly deletions: Deletions;
  readonly live: LivePictures;
  readonly stars: Stars;
  readonly uploads: Uploads;
}

export const [ChangesProvider, useChanges] = requiredContext<Changes>();
