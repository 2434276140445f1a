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
 * The original bytes of the images, each under the UUID of its image.
 * Every method throws `StorageUnavailable` where the store cannot be used.
 */
export interface BlobStore {
  /**
   * Stores a staged file as a blob, and consumes the file. When it resolves, the blob survives a power cut. If it rejects, the
   * store removes what it has written. A store behind a network may still keep the blob, so the key must not be used again: the
   * blob is then orphaned.
   */
  put(key: BlobKey, file: StagedFile): Promise<void>;

  /** Opens a blob, or a range of it, before a response promises its bytes; `undefined` if there is none. */
  open(key: BlobKey, range?: ByteRange): Promise<OpenedBlob | undefined>;

  /** Finds a blob without opening it; `undefined` if there is none. */
  find(key: BlobKey): Promise<FoundBlob | undefined>;

  /** Removes a blob, finished or not; does nothing if there is none. */
  remove(key: BlobKey): Promise<void>;

  /** Lists everything in the store, in no order and in bounded memory. What is added or removed meanwhile may be missing. */
  list(): AsyncIterable<StoreEntry>;

  /** The identity of the catalog that the store belongs to; `undefined` where it belongs to none yet. */
  owner(): Promise<string | undefined>;

  /**
   * Makes the store that of a catalog, unless it has an owner: of several claims at once, one is first. When it resolves, the
   * owner survives a power cut. What the store notes it in is not among what `list` gives.
   */
  claim(catalogId: string): Promise<void>;

  /** Makes the store nobody's; nothing happens where it belongs to none. */
  disown(): Promise<void>;

  /** Resolves when the store can be used. */
  ping(): Promise<void>;
}
