import type { BlobKey } from './blob-key.ts';
import type { MediaType } from './media-type.ts';

/** An image that was inspected and is not recorded yet. */
export interface NewImage {
  /** New for every upload; names the blob. */
  readonly uuid: BlobKey;
  /** The name of the uploaded file: one path segment, no control characters. */
  readonly originalName: string;
  readonly mediaType: MediaType;
  /** Bytes of the original. */
  readonly size: number;
  /** Pixels as a viewer shows it: EXIF orientation applied. */
  readonly width: number;
  readonly height: number;
  /** Lower-case hex of the original bytes. */
  readonly sha256: string;
  /** Base64 ThumbHash, https://evanw.github.io/thumbhash/ */
  readonly thumbhash: string;
}

/** One record of the catalog. It never changes between upload and delete. */
export interface Image extends NewImage {
  /** 1 or more; never reused, not even after a delete. */
  readonly id: number;
  /** When the record was committed; never earlier than that of any image with a lower id. */
  readonly createdAt: Date;
}

/** The unique name under which the catalog lists an image. People recognise the original name in it. */
export function filenameOf(image: NewImage): string {
  return `${image.uuid}-${image.originalName}`;
}
