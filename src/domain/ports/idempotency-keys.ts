/** A client's name for one upload, so that a retry does not make a second image. */
export interface IdempotencyKey {
  /** The client: two clients may choose the same key. */
  readonly scope: string;
  readonly key: string;
}

/** The right to use a key, held by one upload while it is under way. */
export interface IdempotencyClaim extends IdempotencyKey {
  /** Tells this claim from an earlier or a later one of the same key. */
  readonly token: string;
}

export type ClaimResult =
  /** The caller holds the key now, and must complete it with its image or release it. */
  | { readonly state: 'claimed'; readonly claim: IdempotencyClaim }
  /** Another upload holds it. */
  | { readonly state: 'in_use' }
  /** It led to an image, which may have been deleted since. */
  | { readonly state: 'completed'; readonly imageId: number; readonly sha256: string };

/** A key with the bytes that it is claimed for. */
export interface ClaimRequest extends IdempotencyKey {
  /** Of the bytes, lower-case hex. */
  readonly sha256: string;
}

/** A key that led to an image. The image may have been deleted since. */
export interface CompletedKey extends ClaimRequest {
  readonly imageId: number;
  readonly claimedAt: Date;
}

export interface KeyPageQuery {
  /** The last key already seen; the page starts behind it, whether it still exists or not. */
  readonly after?: IdempotencyKey | undefined;
  /** At most this many; 1 or more. */
  readonly limit: number;
}

/**
 * The keys of uploads, as requests use them. They are part of the catalog's database: `ImageRepository.add` completes a claim in the transaction that
 * records the image, and `ImageRepository.removeById` can undo both. Every method throws `StorageUnavailable`.
 */
export interface IdempotencyKeys {
  /** Claims a key atomically. Takes it over if its process is gone or has held it for an unreasonable time. */
  claim(request: ClaimRequest): Promise<ClaimResult>;

  /**
   * Releases a claim that led to no image, so the key can be used again. Does nothing if the claim is not held any more. If it
   * rejects, the claim is released later, when the database is available again.
   */
  release(claim: IdempotencyClaim): Promise<void>;
}

/** Expired keys, for the sweeper. Every method throws `StorageUnavailable`. */
export interface KeyExpiry {
  /** Forgets keys that were claimed before a time; resolves to their number. */
  removeClaimedBefore(time: Date): Promise<number>;

  /** How many keys `removeClaimedBefore` would forget. */
  countClaimedBefore(time: Date): Promise<number>;
}

/** Completed keys, for a transfer. Every method throws `StorageUnavailable`. */
export interface KeyTransfer {
  /** One keyset page of the keys that were completed, in an order of its own that does not change. */
  findCompleted(query: KeyPageQuery): Promise<readonly CompletedKey[]>;

  /** Records completed keys of another copy of the catalog. Replaces keys of the same names. */
  restore(keys: readonly CompletedKey[]): Promise<void>;
}

/** All that a database adapter implements. */
export interface KeyRecords extends IdempotencyKeys, KeyExpiry, KeyTransfer {}
