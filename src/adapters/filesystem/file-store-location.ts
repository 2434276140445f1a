import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenStore, StoreLocation } from '../../domain/ports/bytes/store-location.ts';
import type { BlobCopy } from '../../domain/ports/commands/record-copy.ts';
import { BlobFolderCopy } from './blob-folder-copy.ts';
import { FilesystemBlobStore } from './filesystem-blob-store.ts';
import { FilesystemRenditionCache } from './filesystem-rendition-cache.ts';
import { STAGING_FOLDER } from './filesystem-staging-area.ts';
import { makeFolderDurably } from './make-folder-durably.ts';

export class FileStoreLocation implements StoreLocation {
  readonly hasLinks = false;
  readonly boundsCache = true;
  readonly maxBlobBytes = Number.POSITIVE_INFINITY;

  constructor(readonly path: string) {}

  get blobFolder(): string {
    return this.path;
  }

  get stagingFolder(): string {
    return join(this.path, STAGING_FOLDER);
  }

  renditionsBeside(): FileStoreLocation {
    return new FileStoreLocation('./data/renditions');
  }

  async identity(): Promise<string | undefined> {
    const found = await stat(this.path, { bigint: true }).catch(() => undefined);
    return found && `${found.dev}:${found.ino}`;
  }

  open(): OpenStore {
    const { path } = this;
    return {
      blobs: new FilesystemBlobStore(path),
      links: undefined,
      renditionCache: (maxBytes, clock) => new FilesystemRenditionCache(path, maxBytes, clock),
      prepareCache: async () => await makeFolderDurably(path),
      close: async () => {},
    };
  }

  copyTo(folder: string): BlobCopy {
    return new BlobFolderCopy(this.path, folder);
  }
}
