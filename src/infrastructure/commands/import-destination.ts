import type { ImportTarget } from '../../domain/ports/import-target.ts';

export interface Destination {
  readonly target: ImportTarget;
  readonly takesMetadata: () => Promise<boolean>;
}
