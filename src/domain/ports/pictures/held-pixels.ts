import type { Pixels } from '../../image/image-hashes.ts';

/** Pixels that are kept for a while, as long as their memory is needed by nothing else. */
export interface HeldPixels {
  /** `undefined` if they were dropped or released. */
  read(): Pixels | undefined;

  release(): void;
}
