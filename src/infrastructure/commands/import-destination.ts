import type { ImportTarget } from '../../domain/ports/import-target.ts';

export interface Destination {
  readonly target: ImportTarget;
  /** Tells catalogs apart, for the journal. */
  readonly catalog: string;
  readonly takesMetadata: () => Promise<boolean>;
}
