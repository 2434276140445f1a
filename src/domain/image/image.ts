import type { BlobKey } from './blob-key.ts';
import type { ImageHashes } from './image-hashes.ts';
import type { ImageSummary } from './image-metadata.ts';
import type { MediaType } from './media-type.ts';

export interface NewImage {
  /** New for every upload; names the blob. */
  readonly uuid: BlobKey;
  /** One path segment, no control characters. */
  readonly originalName: string;
  readonly mediaType: MediaType;
  /** Bytes. */
  readonly size: number;
  /** Pixels, EXIF orientation applied. */
  readonly width: number;
  readonly height: number;
  /** 1 if it is not animated. */
  readonly frames: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Base64 ThumbHash, https://evanw.github.io/thumbhash/ */
  readonly thumbhash: string;
  /** Undefined if the pixels were not read. */
  readonly hashes?: ImageHashes | undefined;
}

/** Never changes between upload and delete. */
export interface Image extends Omit<NewImage, 'hashes'> {
  /** 1 or more; never reused, not even after a delete. */
  readonly id: number;
  /** Never earlier than that of an image with a lower id. */
  readonly createdAt: Date;
}

/** What listings show of an image: the summary changes, the rest does not. */
export interface CatalogImage extends Image, ImageSummary {
  /** Who has uploaded it; null if it is not known, or no client has. */
  readonly createdBy: string | null;
}
