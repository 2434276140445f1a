import type { StagedFile } from './staging-area.ts';

/** Offsets of the first and the last byte, both inclusive, as in RFC 9110, section 14.1.2. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A blob that is there. */
export interface FoundBlob {
  /** Bytes of the whole blob. */
  readonly size: number;
  /** Where the blob is on this machine's file system, if it is on one: for libraries that read files by themselves. */
  readonly localPath?: string | undefined;
}

/** A blob that can be read. Its size is that of the whole, whatever range was asked for. */
export interface OpenedBlob extends FoundBlob {
  /**
   * The bytes asked for: at once where they are few, else as a stream to be read once. Reading it to the end, or leaving
   * early, releases everything.
   */
  readonly bytes: Uint8Array | AsyncIterable<Uint8Array>;

  /** Releases everything where nobody will read. */
  close(): Promise<void>;
}

export function inMemory(bytes: Uint8Array): OpenedBlob {
  return { size: bytes.length, bytes, close: async () => undefined };
}

/** A blob, whole or left unfinished by a dead process, or something that the store has not put there. */
export type StoreEntry =
  | { readonly kind: 'blob'; readonly key: string; readonly modified: Date }
  | { readonly kind: 'foreign'; readonly name: string };

/**
 * The original bytes of the images, each under the UUID of its image, as requests use them.
 * Every method throws `StorageUnavailable` if the store is unavailable.
 */
export interface BlobStore {
  /**
   * Makes a staged file a blob, and uses it up. When it resolves, the blob survives a power cut. When it rejects, the store has
   * removed the blob as far as it can tell; a network store may still keep it as an orphaned blob. Keys are never reused.
   */
  put(key: string, file: StagedFile): Promise<void>;

  /** Opens a blob before the response is committed to a status; `undefined` if there is none. */
  open(key: string, range?: ByteRange): Promise<OpenedBlob | undefined>;

  /** Finds a blob without opening it; `undefined` if there is none. */
  find(key: string): Promise<FoundBlob | undefined>;

  /** Removes a blob, finished or not. Does nothing if there is none. */
  remove(key: string): Promise<void>;

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
