import type { BlobKey } from '../../image/blob-key.ts';
import type { OpenedBlob } from './readable-bytes.ts';

export interface RenditionKey {
  readonly uuid: BlobKey;
  /** Contains the version of what made it. One path segment. */
  readonly name: string;
}

export interface CachedRendition extends OpenedBlob {
  /** Found without a read of the cache's disk or bucket. */
  readonly isFromMemory?: boolean;
}

/** The adapter bounds its size: any rendition may be gone at any time. Every method throws `StorageUnavailable`. */
export interface RenditionCache {
  /** Space that it takes, as last measured; `undefined` if it is not known. */
  readonly bytes?: number | undefined;

  /** `undefined` if only a part is there. Counts as a use. */
  open(key: RenditionKey): Promise<CachedRendition | undefined>;

  /** Readers see nothing or all of it. It need not survive a power cut. */
  put(key: RenditionKey, bytes: Uint8Array): Promise<void>;

  removeAllOf(uuid: BlobKey): Promise<void>;

  /**
   * Lists keys in no order.
   *
   * @param prefix hex digits; only keys that begin with it
   */
  listImages(prefix?: string): AsyncIterable<BlobKey>;
}
