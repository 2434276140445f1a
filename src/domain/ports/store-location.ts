import type { BlobStorage } from './blob-store.ts';
import type { BlobCopy } from './catalog-copy.ts';
import type { Clock } from './clock.ts';
import type { RenditionCache } from './rendition-cache.ts';
import type { StoreLinks } from './store-links.ts';

/** Where blobs or renditions are kept: a parsed URL. It opens nothing before `open`. */
export interface StoreLocation {
  /** Names the kind of store. */
  readonly kind: string;

  /** Folder of the blobs on this machine, from which a web server can send them; `undefined` if there is none. */
  readonly blobFolder: string | undefined;

  /** Folder in which an upload becomes a blob by a rename; `undefined` if the store copies uploads from another folder. */
  readonly stagingFolder: string | undefined;

  /** Whether clients can read blobs from the store directly. */
  readonly hasLinks: boolean;

  /** Whether the rendition cache keeps the bound on its size itself. */
  readonly boundsCache: boolean;

  /** Bytes of the largest blob that the store takes. */
  readonly maxBlobBytes: number;

  /** Where renditions are kept if nothing else is configured. */
  renditionsBeside(): StoreLocation;

  /** A text that is the same for all spellings of one existing place; `undefined` if the location itself is as good. */
  identity(): Promise<string | undefined>;

  open(): OpenStore;

  /**
   * A copy of these blobs in a folder of this machine.
   *
   * @throws {CopyUnsupported}
   */
  copyTo(folder: string): BlobCopy;
}

/** A store in use. */
export interface OpenStore {
  readonly blobs: BlobStorage;

  /** `undefined` if clients cannot read from the store. */
  readonly links: StoreLinks | undefined;

  /** @param maxBytes bound on the size, for stores that keep one */
  renditionCache(maxBytes: number, clock: Clock): RenditionCache;

  /** Makes the place of the cache, or checks that the place is available. */
  prepareCache(): Promise<void>;

  close(): Promise<void>;
}
