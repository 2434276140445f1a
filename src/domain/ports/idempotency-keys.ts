/** A client's name for one upload, so that a retry does not make a second image. */
export interface IdempotencyKey {
  /** Whose key it is: two clients may choose the same. */
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

/** What is asked of a key: see `ClaimResult`. */
export interface ClaimRequest extends IdempotencyKey {
  /** Of the bytes that the key is claimed for, lower-case hex. */
  readonly sha256: string;
}

/** A key that led to an image, which may have been deleted since. */
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
 * The keys of uploads. They are part of the catalog's database: `ImageRepository.add` completes a claim in the transaction
 * that records the image, so that there is never one without the other. Every method throws `StorageUnavailable`.
 */
export interface IdempotencyKeys {
  /** Claims a key atomically; that of a process that is gone, or that has held it for an unreasonable time, is taken over. */
  claim(request: ClaimRequest): Promise<ClaimResult>;

  /**
   * Gives a claim back without an image: the key can be used again. Nothing happens where it is not held any more. Where it
   * rejects, the claim is given back later, when the database is there again.
   */
  release(claim: IdempotencyClaim): Promise<void>;

  /** Forgets keys that were claimed before a time; resolves to their number. */
  removeClaimedBefore(time: Date): Promise<number>;

  /** How many keys `removeClaimedBefore` would forget. */
  countClaimedBefore(time: Date): Promise<number>;

  /** One keyset page of the keys that were completed, in an order of its own that does not change. */
  findCompleted(query: KeyPageQuery): Promise<readonly CompletedKey[]>;

  /** Records completed keys of another copy of the catalog, in place of what is known under their names. */
  restore(keys: readonly CompletedKey[]): Promise<void>;
}
