import type { BlobKey } from '../image/blob-key.ts';
import type { OpenedBlob, ReadableBytes } from './readable-bytes.ts';
import type { StagedFile } from './staging-area.ts';

/** Offsets of the first and the last byte, both inclusive, as in RFC 9110, section 14.1.2. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A blob that exists and is not opened. */
export type FoundBlob = Pick<ReadableBytes, 'size' | 'localPath'>;

/** A blob, which a killed process may have left unfinished, or something that the store did not put there. */
export type StoreEntry =
  | { readonly kind: 'blob'; readonly key: BlobKey; readonly modified: Date }
  | { readonly kind: 'foreign'; readonly name: string };

/**
 * The original bytes of the images, each under the UUID of its image, as requests use them.
 * Every method throws `StorageUnavailable` if the store is unavailable.
 */
export interface BlobStore {
  /**
   * Stores a staged file as a blob, and consumes the file. When it resolves, the blob survives a power cut. If it rejects, the
   * store removes what it has written. A store behind a network may still keep the blob, so the key must not be used again: the
   * blob is then orphaned.
   */
  put(key: BlobKey, file: StagedFile): Promise<void>;

  /** Opens a blob before the response is committed to a status; `undefined` if there is none. */
  open(key: BlobKey, range?: ByteRange): Promise<OpenedBlob | undefined>;

  /** Finds a blob without opening it; `undefined` if there is none. */
  find(key: BlobKey): Promise<FoundBlob | undefined>;

  /** Removes a blob, finished or not. Does nothing if there is none. */
  remove(key: BlobKey): Promise<void>;

  /** Resolves if the store is available. */
  ping(): Promise<void>;
}

/** The contents of a store, for maintenance. Throws `StorageUnavailable` if the store is unavailable. */
export interface BlobListing {
  /** Lists everything in the store, in no order and in bounded memory. May miss what changes during the listing. */
  list(): AsyncIterable<StoreEntry>;
}

/** Which catalog a store belongs to. Every method throws `StorageUnavailable` if the store is unavailable. */
export interface BlobOwnership {
  /** The identity of the catalog that owns the store; `undefined` if it has no owner. */
  owner(): Promise<string | undefined>;

  /**
   * Gives a store without an owner to a catalog. Of several concurrent claims, the first one wins. When it resolves, the owner
   * survives a power cut. `list` does not include the note of the owner.
   */
  claim(catalogId: string): Promise<void>;

  /** Leaves the store without an owner. */
  release(): Promise<void>;
}

/** All that a store adapter implements. */
export interface BlobStorage extends BlobStore, BlobListing, BlobOwnership {}
