import type { Space } from '../../../domain/space/space.ts';

/** Images, and which others they are compared with. */
export interface Compared {
  readonly space: Space;
  readonly ids: readonly number[];
  readonly beside: '<' | '>' | '<>';
}
