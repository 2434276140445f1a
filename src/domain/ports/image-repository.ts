import type { Image, NewImage } from '../image/image.ts';
import type { MediaType } from '../image/media-type.ts';
import type { IdempotencyClaim } from './idempotency-keys.ts';

/** Which images a listing or a count leaves; all conditions must hold. */
export interface ImageFilter {
  readonly mediaType?: MediaType | undefined;
  /** Lower-case hex. */
  readonly sha256?: string | undefined;
  /** Exclusive. */
  readonly createdAfter?: Date | undefined;
  /** Exclusive. */
  readonly createdBefore?: Date | undefined;
}

/** By id: `asc` is oldest first. */
export type ImageOrder = 'asc' | 'desc';

export interface ImagePageQuery {
  readonly filter: ImageFilter;
  readonly order: ImageOrder;
  /** Id of the last image already seen; the page starts behind it, whether it still exists or not. */
  readonly after?: number | undefined;
  /** At most this many; 1 or more. */
  readonly limit: number;
}

/**
 * The records of the catalog. Every method throws `StorageUnavailable` where the database cannot be used.
 */
export interface ImageRepository {
  /**
   * Records an image; when it resolves, the record survives a power cut. The id is higher than any id ever given, and than
   * any that a reader has seen or could see before: who reads on from the last one misses nothing.
   * `createdAt` is the time of this call, or that of the newest image where that is later: times never run against ids.
   *
   * @param claim completed together with the record, or neither is
   * @throws {IdempotencyKeyInUse} where the claim is not held any more
   */
  add(image: NewImage, claim?: IdempotencyClaim): Promise<Image>;

  /** `undefined` where there is no such image. */
  findById(id: number): Promise<Image | undefined>;

  /** One keyset page. Its cost depends on its length, not on its place in the catalog nor on the catalog's size. */
  findPage(query: ImagePageQuery): Promise<readonly Image[]>;

  /** How many images the filter leaves. */
  count(filter: ImageFilter): Promise<number>;

  /**
   * Removes a record; `false` if there is none. Of several callers at once, one gets `true`.
   *
   * @param claim the one that `add` has completed with the record, to undo that too: it is released in the same transaction, so
   *   the key can be used again. Only the caller that gets `true` releases it. Without it a completed key stays completed.
   */
  removeById(id: number, claim?: IdempotencyClaim): Promise<boolean>;

  /** Those of the given UUIDs that some record bears. */
  findUuidsAmong(uuids: readonly string[]): Promise<ReadonlySet<string>>;

  /**
   * Whether a record bears the UUID, or may come to: the `add` of it has failed, and its connection may have been lost before
   * the answer came. Waits for nobody. Where `false`, what failed stays unrecorded.
   */
  mayBeRecorded(uuid: string): Promise<boolean>;

  /**
   * Removes the bytes of a UUID that no record bears: `remove` runs while nobody, in this process or another, can record that
   * UUID. Resolves to `false`, and nothing is run, where it is recorded.
   */
  removeUnrecorded(uuid: string, remove: () => Promise<void>): Promise<boolean>;

  /**
   * Records images of another copy of the catalog, under the ids and times that they bear there: all of them or none. When it
   * resolves, the records survive a power cut. An image that is recorded already stays as it is. Ids that are given later are
   * higher than these.
   *
   * @throws {RecordConflict} where another image bears one of the ids or UUIDs
   */
  restore(images: readonly Image[]): Promise<void>;

  /** The highest id that was ever given, restored or reserved; 0 where there is none. */
  highestId(): Promise<number>;

  /** Gives only ids above this one from now on. */
  reserveIds(upTo: number): Promise<void>;

  /** Resolves when the database answers. */
  ping(): Promise<void>;
}
