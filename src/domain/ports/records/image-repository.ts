import type { BlobKey } from '../../image/blob-key.ts';
import type { CatalogImage, Image, NewImage } from '../../image/image.ts';
import type { ImageHashes } from '../../image/image-hashes.ts';
import type { ImageMetadata, NewMetadata } from '../../image/image-metadata.ts';
import type { Name, NameCondition } from '../../name/name.ts';
import type { Space } from '../../space/space.ts';
import type { IdempotencyClaim } from './idempotency-keys.ts';
import type { InSpaces } from './in-spaces.ts';
import type { NamePublishing } from './names.ts';

/** `asc` is oldest first. */
export type ImageOrder = 'asc' | 'desc';

export interface ImagePageQuery {
  readonly order: ImageOrder;
  /** Id of the last image already seen, which may be deleted by now. */
  readonly after?: number | undefined;
  /** 1 or more. */
  readonly limit: number;
  /** By default, images of all spaces. */
  readonly space?: Space | undefined;
}

/** A name that is to point to a new image. */
export interface NewName extends NamePublishing {
  readonly name: Name;
  /** By default there is no condition. */
  readonly matches?: NameCondition | undefined;
}

/** The images of one space. Every method throws `StorageUnavailable`. */
export interface ImageRepository {
  /**
   * When it resolves, the record survives a power cut. The id is higher than any id that a reader can have seen. `createdAt`
   * never decreases with the id. Tags get the spelling that the space has already. Throws `StorageUnavailable` if
   * `removeUnrecorded` was first.
   *
   * @param claim completed in the same transaction
   * @param metadata recorded in the same transaction; by default there is none
   * @param by for the record and the feed of changes
   * @param name points to the image in the same transaction
   * @throws {IdempotencyKeyInUse | NameChanged | PublishingRefused | QuotaExceeded}
   */
  add(
    image: NewImage,
    claim?: IdempotencyClaim,
    metadata?: NewMetadata,
    by?: string,
    name?: NewName,
  ): Promise<CatalogImage>;

  findById(id: number): Promise<CatalogImage | undefined>;

  /**
   * With its names. `false` if there is none. Of several concurrent callers, one gets `true`.
   *
   * @param by for the feed of changes
   * @param to where the image can be restored from; by default it is gone
   */
  removeById(id: number, by?: string, to?: 'trash'): Promise<boolean>;

  /**
   * The ids of the images with these bytes, ascending, by digest. Digests without an image are left out.
   *
   * @param digests SHA-256, lower-case hex
   */
  findIdsBySha256(digests: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
}

/** A record with its space, for those who see all of them. */
export interface OwnedImage extends CatalogImage {
  readonly space: Space;
}

/** The images of all spaces. Every method throws `StorageUnavailable`. */
export interface AllImages {
  findById(id: number): Promise<OwnedImage | undefined>;

  /** The cost depends on the length of the page, not on its position nor on the size of the catalog. */
  findPage(query: ImagePageQuery): Promise<readonly OwnedImage[]>;

  count(): Promise<number>;

  /**
   * Whether a record has the UUID, or may get it: a failed `add` may still be committed. Waits for no lock. If `false`, the
   * failed `add` stays without effect.
   */
  mayBeRecorded(uuid: string): Promise<boolean>;

  /** @param use `forChanges`: rejects also if the database can be read, but takes no changes */
  ping(use: { readonly forChanges: boolean }): Promise<void>;
}

/** Every method throws `StorageUnavailable`. */
export interface BlobReferences {
  findUuidsAmong(uuids: readonly string[]): Promise<ReadonlySet<string>>;

  /**
   * Runs `remove` under a lock that keeps all processes from recording the UUID. From then on, `add` refuses it: an upload may
   * have stalled, whose blob is gone. `false`, without running it, if the UUID is recorded.
   */
  removeUnrecorded(uuid: string, remove: () => Promise<void>): Promise<boolean>;
}

export interface ImportedImage extends Image, Pick<OwnedImage, 'space' | 'createdBy'> {
  /** If it is missing, an existing record keeps its metadata, and a new one has none. */
  readonly metadata?: ImageMetadata | undefined;
  /** If it is missing, an existing record keeps its own. */
  readonly hashes?: ImageHashes | undefined;
}

/** Every method throws `StorageUnavailable`. */
export interface ImageImport {
  /**
   * Records all or none, whatever the limits of their spaces, under their existing ids, times and versions. Keeps existing
   * records, and replaces their metadata. When it resolves, the records survive a power cut. Later ids are higher. Writes no changes to
   * the feed.
   * Throws `StorageUnavailable` once if `removeUnrecorded` was run for one of them: its blob must be copied again.
   *
   * @throws {RecordConflict}
   */
  restore(images: readonly ImportedImage[]): Promise<void>;

  /** Resolves to the metadata of the images that are there, for `restore`. */
  findMetadata(ids: readonly number[]): Promise<ReadonlyMap<number, ImageMetadata>>;

  /** Resolves to the hashes that are known. Images of older versions have none before `HashRecords` gets them. */
  findHashes(ids: readonly number[]): Promise<ReadonlyMap<number, ImageHashes>>;

  /** The highest id ever given, restored or reserved; 0 if there is none. */
  highestId(): Promise<number>;

  /** Makes later ids higher. */
  reserveIds(upTo: number): Promise<void>;
}

/** Every method throws `StorageUnavailable`. */
export interface DeletedImages {
  /** The key of an image that was deleted, and maybe restored, while links to it may still be good; `undefined` for all others. */
  findDeletedUuid(id: number): Promise<BlobKey | undefined>;
}

export interface ImageRecords
  extends InSpaces<ImageRepository>,
    AllImages,
    BlobReferences,
    ImageImport,
    DeletedImages {
  /** For imports by commands. As those of `InSpaces`, whatever the limits of the spaces: `add` does not throw `QuotaExceeded`. */
  readonly unlimited: InSpaces<ImageRepository>;
}
