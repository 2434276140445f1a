import type { Look } from '../../image/similar-kind.ts';
import type { Turns } from '../process/turns.ts';

export interface Candidates {
  /** For each image the ids of others that may be copies, oldest first. Images without any are left out. */
  readonly of: ReadonlyMap<number, readonly number[]>;
  /** Entries of indexes that were read: the work. */
  readonly looked: number;
}

/**
 * Images that have equal bytes, and images whose dHashes differ in `COPY_DHASH_BITS` at most. Flat images, and images whose hashes are
 * not known, have candidates of equal bytes alone.
 *
 * The work is bounded for each image: the more images a space has, and the more of them look nearly alike, the fewer of those that
 * differ in some bits are found. Of equal bytes and of equal hashes the oldest are always found. The same catalog has the same
 * candidates.
 *
 * Every method throws `StorageUnavailable`, and `Overloaded` by the turns.
 */
export interface CopyCandidates {
  /**
   * Those that may be the oldest of its copies, a hundred at most. Of equal bytes that is the oldest, and the others are those of this one:
   * a picture that is there a hundred thousand times is compared once.
   */
  findOlder(ids: readonly number[], turns: Turns): Promise<Candidates>;

  /** Those with higher ids; a hundred of equal bytes, and a hundred of equal hashes. */
  findNewer(ids: readonly number[], turns: Turns): Promise<Candidates>;

  /** What decides whether one is a copy of the other. Images that are gone are left out. */
  findLooks(ids: readonly number[], turns: Turns): Promise<ReadonlyMap<number, Look>>;
}
