import type { BlobKey } from '../../image/blob-key.ts';

export interface WatchedBlob {
  readonly key: BlobKey;
  /** End of the sweep that first found no record; `undefined` for the current one. */
  readonly since: Date | undefined;
}

/** The blobs whose keys begin with a prefix. */
export interface SweepSlice {
  /** Hex digits; none if the slice is the whole store. */
  readonly prefix: string;
  readonly takenAt: Date;
  readonly watched: readonly WatchedBlob[];
}

/**
 * Who sweeps which part of the blob store, under leases. All times are of the clock of the database, because processes of many
 * machines compare them. Every method throws `StorageUnavailable`.
 */
export interface SweepSlices {
  /** Takes, of the slices that were swept at least `afterMs` ago and have no holder, the one that was taken longest ago. */
  takeDue(owner: string, afterMs: number, leaseMs: number): Promise<SweepSlice | undefined>;

  /** Takes a slice from its holder, too. `undefined` if it was split. */
  take(prefix: string, owner: string, leaseMs: number): Promise<SweepSlice | undefined>;

  /** `false` if another owner has taken the slice. */
  renew(prefix: string, owner: string, leaseMs: number): Promise<boolean>;

  /** Ends a sweep. Replaces the watched blobs, unless another owner has taken the slice. */
  finish(prefix: string, owner: string, watched: readonly WatchedBlob[]): Promise<void>;

  /** Makes 16 slices of one that is too large, each with one more digit. None of them has a holder. */
  split(prefix: string, owner: string): Promise<void>;

  /** Gives up all leases of the owner. */
  release(owner: string): Promise<void>;

  prefixes(): Promise<readonly string[]>;

  /** Since the slice that was swept longest ago, ended its sweep; `undefined` if one was never swept. */
  longestUnsweptMs(): Promise<number | undefined>;
}

export const HEX_DIGITS: readonly string[] = '0123456789abcdef'.split('');
