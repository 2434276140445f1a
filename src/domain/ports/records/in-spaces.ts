import type { Space } from '../../space/space.ts';

/** A port for each space, which reaches nothing of another one. */
export interface InSpaces<Port> {
  /** Reads nothing. A space without images need not be known to the catalog. */
  in(space: Space): Port;
}
