import type { BlobKey } from '../../image/blob-key.ts';
import type { ByteRange } from './blob-store.ts';
import type { OpenedBlob } from './readable-bytes.ts';
import type { TemporaryFile } from './temporary-files.ts';

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

  /** Whether `open` reads a file of this machine: then it costs little to read what was put a moment ago. */
  readonly isLocal: boolean;

  /**
   * Opens the whole file, or a range of it: `size` is always that of the file. `undefined` if only a part of the file is there.
   * Counts as a use.
   */
  open(key: RenditionKey, range?: ByteRange): Promise<CachedRendition | undefined>;

  /** Readers see nothing or all of it. It need not survive a power cut. */
  put(key: RenditionKey, bytes: Uint8Array | TemporaryFile): Promise<void>;

  removeAllOf(uuid: BlobKey): Promise<void>;

  /**
   * Lists keys in no order.
   *
   * @param prefix hex digits; only keys that begin with it
   */
  listImages(prefix?: string): AsyncIterable<BlobKey>;
}
