import type { BlobCopy } from '../commands/record-copy.ts';
import type { Clock } from '../process/clock.ts';
import type { BlobStorage } from './blob-store.ts';
import type { RenditionCache } from './rendition-cache.ts';
import type { StoreLinks } from './store-links.ts';

/** A parsed URL. Opens nothing before `open`. */
export interface StoreLocation {
  /** Folder from which a web server can send blobs. */
  readonly blobFolder: string | undefined;

  /** Folder in which an upload becomes a blob by a rename; `undefined` if the store copies uploads. */
  readonly stagingFolder: string | undefined;

  /** Whether clients can read blobs directly. */
  readonly hasLinks: boolean;

  /** Whether the rendition cache bounds its size itself. */
  readonly boundsCache: boolean;

  readonly maxBlobBytes: number;

  /** Where renditions are kept by default. */
  renditionsBeside(): StoreLocation;

  /** The same text for all spellings of one existing place. */
  identity(): Promise<string | undefined>;

  open(): OpenStore;

  /** @throws {CopyUnsupported} */
  copyTo(folder: string): BlobCopy;
}

export interface OpenStore {
  readonly blobs: BlobStorage;

  readonly links: StoreLinks | undefined;

  renditionCache(maxBytes: number, clock: Clock): RenditionCache;

  /** Makes the place of the cache, or checks that it is available. */
  prepareCache(): Promise<void>;

  close(): Promise<void>;
}
