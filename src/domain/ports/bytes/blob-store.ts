import type { BlobKey } from '../../image/blob-key.ts';
import type { OpenedBlob, ReadableBytes } from './readable-bytes.ts';
import type { StagedFile } from './staging-area.ts';

/** Both ends are inclusive, as in RFC 9110, section 14.1.2. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export type FoundBlob = Pick<ReadableBytes, 'size' | 'localPath'>;

/** A killed process may have left a blob unfinished. */
export type StoreEntry =
  | { readonly kind: 'blob'; readonly key: BlobKey; readonly modified: Date }
  | { readonly kind: 'foreign'; readonly name: string };

/** Every method throws `StorageUnavailable`. */
export interface BlobStore {
  /**
   * Consumes the file. When it resolves, the blob survives a power cut. After a rejection, the key must not be used again: a
   * network store may keep the blob.
   */
  put(key: BlobKey, file: StagedFile): Promise<void>;

  open(key: BlobKey, range?: ByteRange): Promise<OpenedBlob | undefined>;

  find(key: BlobKey): Promise<FoundBlob | undefined>;

  /** Removes a blob, finished or not; does nothing if there is none. */
  remove(key: BlobKey): Promise<void>;

  ping(): Promise<void>;
}

/** Every method throws `StorageUnavailable`. */
export interface BlobListing {
  /**
   * In no order and in bounded memory. May miss what changes during the listing.
   *
   * @param prefix hex digits; only blobs whose keys begin with it, and not all foreign names
   */
  list(prefix?: string): AsyncIterable<StoreEntry>;
}

/** Every method throws `StorageUnavailable`. */
export interface BlobOwnership {
  /** The identity of the catalog that owns the store. */
  owner(): Promise<string | undefined>;

  /**
   * The first of several concurrent claims wins. When it resolves, the owner survives a power cut. `list` does not include
   * it.
   */
  claim(catalogId: string): Promise<void>;

  release(): Promise<void>;
}

export interface BlobStorage extends BlobStore, BlobListing, BlobOwnership {}
