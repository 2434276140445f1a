import type { BlobKey } from '../../image/blob-key.ts';

export interface WatchedBlob {
  readonly key: BlobKey;
  /** End of the sweep that first found no record; `undefined` for the current one. */
  readonly since: Date | undefined;
}

/** Where a sweep of a slice is. */
export interface SlicePage {
  /** One of `TWO_DIGITS`: the keys of the slice begin with it. */
  readonly prefix: string;
  /** One of `TWO_DIGITS`, with which the keys go on; empty if the whole slice is swept at once. */
  readonly page: string;
}

export interface SweepSlice extends SlicePage {
  readonly takenAt: Date;
  /** Those of the page. */
  readonly watched: readonly WatchedBlob[];
}

/**
 * Who sweeps which of the 256 slices of the blob store, under leases. All times are of the clock of the database, because processes of
 * many machines compare them. Every method throws `StorageUnavailable`.
 */
export interface SweepSlices {
  /** Of the slices, in their order. */
  readonly prefixes: readonly string[];

  /** Takes, of the slices that were swept at least `afterMs` ago and have no holder, the one that was taken longest ago. */
  takeDue(owner: string, afterMs: number, leaseMs: number): Promise<SweepSlice | undefined>;

  /** Takes a slice from its holder, too. */
  take(prefix: string, owner: string, leaseMs: number): Promise<SweepSlice | undefined>;

  /** `false` if another owner has taken the slice. */
  renew(prefix: string, owner: string, leaseMs: number): Promise<boolean>;

  /**
   * Replaces the watched blobs of the page and gives the lease up, unless another owner has taken the slice. The slice is swept if this
   * was its last page, and begins at the next one otherwise.
   */
  finish(swept: SlicePage, owner: string, watched: readonly WatchedBlob[]): Promise<void>;

  /** Gives up the lease of a slice that is too large to be swept at once. It begins at its first page, for one round. */
  divide(prefix: string, owner: string): Promise<void>;

  /** Gives up all leases of the owner. */
  release(owner: string): Promise<void>;

  /** Since the slice that was swept longest ago, ended its sweep; `undefined` if one was never swept. */
  longestUnsweptMs(): Promise<number | undefined>;
}

/** Of hexadecimal digits, in their order. */
export const TWO_DIGITS: readonly string[] = Array.from({ length: 256 }, (_, number) =>
  number.toString(16).padStart(2, '0'),
);
