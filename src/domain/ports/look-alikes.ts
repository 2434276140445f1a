import type { Appearance } from '../image/appearance.ts';

export interface LookAlikeQuery {
  /** Bits of the dHash in which a look-alike may differ, 0 to 16. */
  readonly distance: number;
  /** 1 or more. */
  readonly limit: number;
}

export interface LookAlike {
  readonly id: number;
  /** Bits of the dHash that differ; 0 for equal bytes. */
  readonly distance: number;
}

/** Every method throws `StorageUnavailable`. */
export interface LookAlikes {
  /**
   * Nearest first, then by id, without the image itself. Flat pictures, and images whose appearance is not known, match equal
   * bytes alone. Empty if there is no such image.
   *
   * The work is bounded: if tens of thousands of other pictures share a quarter of the hash, some that differ are not found.
   * Equal bytes and equal hashes always are.
   */
  find(id: number, query: LookAlikeQuery): Promise<readonly LookAlike[]>;
}

/** Every method throws `StorageUnavailable`. */
export interface AppearanceRecords {
  /** Records or replaces, by id. Skips images that are not there. When it resolves, the change survives a power cut. */
  record(appearances: ReadonlyMap<number, Appearance>): Promise<void>;
}
