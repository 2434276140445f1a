import type { OpenedBlob } from './blob-store.ts';

export interface RenditionKey {
  /** Of the image. */
  readonly uuid: string;
  /** Of the rendition, with the version of what made it; one path segment. */
  readonly name: string;
}

/**
 * Renditions that were made before. What bounds its size, and what goes first, is the adapter's: at any time any of it may be
 * gone, which costs nothing but time. Every method throws `StorageUnavailable` where the cache cannot be used.
 */
export interface RenditionCache {
  /** `undefined` where it is not there (any more). Counts as a use, where uses count. */
  open(key: RenditionKey): Promise<OpenedBlob | undefined>;

  /** Readers see nothing or all of it. Need not survive a power cut. */
  put(key: RenditionKey, bytes: Uint8Array): Promise<void>;

  /** Removes all renditions of an image; nothing happens where there are none. */
  removeAllOf(uuid: string): Promise<void>;

  /** The UUIDs of the images that renditions are kept of, in no order. */
  listImages(): AsyncIterable<string>;
}
