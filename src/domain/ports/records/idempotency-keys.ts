import type { Space } from '../../space/space.ts';

/** A retry with the same key does not make a second image. */
export interface IdempotencyKey {
  readonly space: Space;
  /** Two clients may choose the same key. */
  readonly scope: string;
  readonly key: string;
}

/** Held by one upload while it is under way. */
export interface IdempotencyClaim extends IdempotencyKey {
  /** Tells this claim from others of the same key. */
  readonly token: string;
}

export type KnownKey =
  | { readonly state: 'in_use' }
  /** The image may have been deleted since. */
  | { readonly state: 'completed'; readonly imageId: number; readonly sha256: string };

export type ClaimResult =
  /** The caller must complete it with its image or release it. */
  { readonly state: 'claimed'; readonly claim: IdempotencyClaim } | KnownKey;

export interface ClaimRequest extends IdempotencyKey {
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * `ImageRepository.add` completes a claim in the transaction that records the image; `removeById` can undo both. Every method
 * throws `StorageUnavailable`.
 */
export interface IdempotencyKeys {
  /** Atomic. Takes the key over if its process is gone or has held it for an unreasonable time. */
  claim(request: ClaimRequest): Promise<ClaimResult>;

  /** `undefined` if it is neither held nor completed. */
  find(key: IdempotencyKey): Promise<KnownKey | undefined>;

  /** Does nothing if the claim is not held any more. If it rejects, the claim is released later. */
  release(claim: IdempotencyClaim): Promise<void>;
}

/** Every method throws `StorageUnavailable`. */
export interface KeyExpiry {
  /** Removes some of them, the oldest first. Resolves to how many; 0 if there is none left. */
  removeClaimedBefore(time: Date): Promise<number>;
}

export interface KeyRecords extends IdempotencyKeys, KeyExpiry {}
