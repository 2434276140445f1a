import type { ImageHashes } from '../../image/image-hashes.ts';
import type { InSpaces } from './in-spaces.ts';

export interface SimilarQuery {
  /** Bits of the dHash in which a similar image may differ, 0 to 16. */
  readonly distance: number;
  /** 1 or more. */
  readonly limit: number;
}

export interface SimilarMatch {
  readonly id: number;
  /** Bits of the dHash that differ; 0 for equal bytes. */
  readonly distance: number;
}

/** Every method throws `StorageUnavailable`. */
export interface SimilarImages {
  /**
   * Nearest first, then by id, without the image itself. Flat images, and images whose hashes are not known, match equal
   * bytes alone. Empty if there is no such image.
   *
   * The work is bounded: if tens of thousands of other images share a quarter of the hash, some that differ are not found.
   * Equal bytes and equal hashes always are.
   */
  find(id: number, query: SimilarQuery): Promise<readonly SimilarMatch[]>;
}

/** Every method throws `StorageUnavailable`. */
export interface HashRecords {
  /** Records or replaces, by id. Skips images that are not there. When it resolves, the change survives a power cut. */
  record(hashes: ReadonlyMap<number, ImageHashes>): Promise<void>;
}

export interface SimilarRecords extends InSpaces<SimilarImages>, HashRecords {
  /** Searches of this process that have ended at their bound. */
  readonly boundedSearches: number;
}
