import type { BlobKey } from '../image/blob-key.ts';
import type { OpenedBlob } from './readable-bytes.ts';

export interface RenditionKey {
  /** Of the image. */
  readonly uuid: BlobKey;
  /** Of the rendition, with the version of what made it; one path segment. */
  readonly name: string;
}

/**
 * Renditions that were made before. The adapter bounds its size and decides what to remove first. Any rendition may be gone at
 * any time; it is made again. Every method throws `StorageUnavailable` if the cache cannot be used.
 */
export interface RenditionCache {
  /** Opens the bytes that were put; `undefined` if they are not there, or only a part of them. Counts as a use. */
  open(key: RenditionKey): Promise<OpenedBlob | undefined>;

  /** Readers see nothing or all of it. It need not survive a power cut. */
  put(key: RenditionKey, bytes: Uint8Array): Promise<void>;

  /** Removes all renditions of an image; does nothing if there are none. */
  removeAllOf(uuid: BlobKey): Promise<void>;

  /** The UUIDs of the images that have renditions here, in no order. */
  listImages(): AsyncIterable<BlobKey>;
}
