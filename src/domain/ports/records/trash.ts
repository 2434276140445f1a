import type { BlobKey } from '../../image/blob-key.ts';
import type { CatalogImage } from '../../image/image.ts';
import type { Author } from './author.ts';
import type { ImportedImage, OwnedImage } from './image-repository.ts';
import type { InSpaces } from './in-spaces.ts';

export interface TrashedImage {
  /** As it was when it was deleted. */
  readonly image: CatalogImage;
  readonly trashedAt: Date;
  /** Null if it is not known, or no client has deleted it. */
  readonly trashedBy: string | null;
}

export interface TrashPosition {
  readonly trashedAt: Date;
  readonly id: number;
}

export interface TrashPageQuery {
  /** The page starts behind it, whether the image is still in the trash or not. */
  readonly after?: TrashPosition | undefined;
  /** 1 or more. */
  readonly limit: number;
}

/** The trash of one space. Every method throws `StorageUnavailable`. */
export interface Trash {
  /** Newest first; those of one moment by descending id. */
  findPage(query: TrashPageQuery): Promise<readonly TrashedImage[]>;

  /**
   * Moves the image back, with its metadata and all that is found by them, whatever the limits of the space. Names stay away. Tags get
   * the spelling that the space has now; the version rises if that changes them. `undefined` if it is not in the trash.
   *
   * @throws {TooManyChanges}
   */
  restore(id: number, author?: Author): Promise<CatalogImage | undefined>;

  /**
   * Resolves to the key of its bytes, which the caller removes afterwards; `undefined` if it is not in the trash.
   *
   * @param by for the feed of changes
   */
  erase(id: number, by?: string): Promise<BlobKey | undefined>;
}

/** Images that were moved to the trash at least so long ago. */
export interface TrashAge {
  /** By the clock of the process. If that of the database is behind, it counts instead. */
  readonly now: Date;
  readonly ageMs: number;
}

/** Every method throws `StorageUnavailable`. */
export interface TrashExpiry {
  /** Erases the oldest ones, at most as many as one short transaction can. Resolves to the keys of their bytes. */
  eraseOlder(age: TrashAge): Promise<readonly BlobKey[]>;

  /** How many repeated calls of `eraseOlder` would erase. */
  countOlder(age: TrashAge): Promise<number>;
}

/** All of an image in the trash. */
export interface TrashedRecord extends ImportedImage {
  readonly trashedAt: Date;
  readonly trashedBy: string | null;
}

/** An image that is recorded, in the trash or not. */
export type RecordedImage = OwnedImage | TrashedRecord;

export function isTrashed(image: RecordedImage): image is TrashedRecord {
  return 'trashedAt' in image;
}

/** Every method throws `StorageUnavailable`. */
export interface TrashTransfer {
  /** Of all spaces. */
  count(): Promise<number>;

  /**
   * Of all spaces, by ascending id.
   *
   * @param after id of the last image already seen, 0 for the first page
   */
  findAll(after: number, limit: number): Promise<readonly TrashedRecord[]>;

  /**
   * Puts all or none of them into the trash, whatever the limits of their spaces; those that are there already are replaced. Writes no
   * changes to the feed. Throws `StorageUnavailable` once if `removeUnrecorded` was run for one of them: its blob must be copied again.
   *
   * @throws {RecordConflict} if one of them is recorded outside the trash
   */
  restoreTrashed(images: readonly TrashedRecord[]): Promise<void>;
}

export interface TrashRecords extends InSpaces<Trash>, TrashExpiry, TrashTransfer {}
