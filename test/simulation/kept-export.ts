import type { Space } from '../../src/domain/space/space.ts';
import type { InMemoryExport } from '../support/doubles/in-memory-export.ts';

export interface KeptExport {
  /** `undefined`: the whole catalog. */
  readonly space: Space | undefined;
  readonly folder: InMemoryExport;
}
