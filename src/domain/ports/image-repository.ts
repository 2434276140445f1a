import type { Image, NewImage } from '../image/image.ts';
import type { MediaType } from '../image/media-type.ts';
import type { IdempotencyClaim } from './idempotency-keys.ts';

/** Selects images of a listing or a count; all conditions must hold. */
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
  /** Id of the last image already seen, which may be deleted by now. The page starts behind it. */
  readonly after?: number | undefined;
  /** At most this many; 1 or more. */
  readonly limit: number;
}

/** The records of the catalog, as requests use them. Every method throws `StorageUnavailable` if the database is unavailable. */
export interface ImageRepository {
  /**
   * Records an image. When it resolves, the record survives a power cut. The id is higher than any id given earlier, and than
   * any id that a reader can have seen: reading on from the last seen id misses nothing.
   * `createdAt` is the time of this call, or that of the newest image if that is later, so times never decrease with the id.
   *
   * @param claim completed in the same transaction as the record
   * @throws {IdempotencyKeyInUse} if the claim is not held any more
   */
  add(image: NewImage, claim?: IdempotencyClaim): Promise<Image>;

  /** `undefined` if there is no such image. */
  findById(id: number): Promise<Image | undefined>;

  /** One keyset page. Its cost depends on its length, not on its position nor on the size of the catalog. */
  findPage(query: ImagePageQuery): Promise<readonly Image[]>;

  /** The number of images that match the filter. */
  count(filter: ImageFilter): Promise<number>;

  /**
   * Removes a record; resolves to `false` if there is none. Of several concurrent callers, one gets `true`.
   *
   * @param claim the one that `add` completed with the record. It is released in the same transaction, so that the key can be
   *   used again, and only by the caller that gets `true`. Without it, a completed key stays completed.
   */
  removeById(id: number, claim?: IdempotencyClaim): Promise<boolean>;

  /**
   * Whether a record has the UUID, or may get it: a failed `add` may still be committed if its connection was lost before the
   * reply. Waits for no lock. If `false`, the failed `add` stays without effect.
   */
  mayBeRecorded(uuid: string): Promise<boolean>;

  /** Resolves if the database responds. */
  ping(): Promise<void>;
}

/** Tells which blobs have a record. For maintenance. Every method throws `StorageUnavailable` if the database is unavailable. */
export interface BlobReferences {
  /** Those of the UUIDs that a record has. */
  findUuidsAmong(uuids: readonly string[]): Promise<ReadonlySet<string>>;

  /**
   * Runs `remove` under a lock that keeps all processes from recording the UUID. Resolves to `false`, without running it, if
   * the UUID is recorded.
   */
  removeUnrecorded(uuid: string, remove: () => Promise<void>): Promise<boolean>;
}

/** Takes in the records of another copy of the catalog. Every method throws `StorageUnavailable` if the database is unavailable. */
export interface ImageImport {
  /**
   * Records images under their existing ids and times: all of them or none. When it resolves, the records survive a power cut.
   * An image that is recorded already stays as it is. Later ids are higher than these.
   *
   * @throws {RecordConflict} if another image has one of the ids or UUIDs
   */
  restore(images: readonly Image[]): Promise<void>;

  /** The highest id ever given, restored or reserved; 0 if there is none. */
  highestId(): Promise<number>;

  /** Makes all later ids higher than this one. */
  reserveIds(upTo: number): Promise<void>;
}

/** All that a database adapter implements. */
export interface ImageRecords extends ImageRepository, BlobReferences, ImageImport {}
