import type { Deletions } from '../deletion/deletions.ts';
import type { Uploads } from '../upload/uploads.ts';
import { requiredContext } from './required-context.ts';

/** Changes of the catalog that are under way. */
export interface Changes {
  readonly deletions: Deletions;
  readonly uploads: Uploads;
}

export const [ChangesProvider, useChanges] = requiredContext<Changes>();
