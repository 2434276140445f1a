import type {
  BlobStorage,
  ByteRange,
  FoundBlob,
  OpenedBlob,
  StoreEntry,
} from '../../domain/ports/blob-store.ts';
import type { StagedFile } from '../../domain/ports/staging-area.ts';
import type { LinkedHeaders, StoreLinks } from '../../domain/ports/store-links.ts';
import { isUuid, requireUuid } from './object-key.ts';
import type { S3Bucket } from './s3-bucket.ts';

/** No shards as in folders: a bucket has none, and S3 itself spreads keys that begin alike. */
const FOLDER = 'blobs/';

/** The key, below the prefix, of the object that says which catalog the prefix belongs to. Beside the folder, and so no blob. */
export const OWNER_OBJECT = 'catalog-id';

/** Blobs as objects: `<prefix>blobs/<uuid>`, which any number of processes may share. None is ever written over. */
export class S3BlobStore implements BlobStorage, StoreLinks {
  constructor(private readonly bucket: S3Bucket) {}

  async put(key: string, file: StagedFile): Promise<void> {
    await this.bucket.put(objectOf(key), file);
    await file.discard();
  }

  async open(key: string, range?: ByteRange): Promise<OpenedBlob | undefined> {
    return await this.bucket.open(objectOf(key), range);
  }

  async find(key: string): Promise<FoundBlob | undefined> {
    return await this.bucket.find(objectOf(key));
  }

  async remove(key: string): Promise<void> {
    await this.bucket.remove(objectOf(key));
  }

  async linkTo(key: string, headers: LinkedHeaders): Promise<string> {
    return await this.bucket.linkTo(objectOf(key), headers);
  }

  async *list(): AsyncGenerator<StoreEntry, void, undefined> {
    for await (const page of this.bucket.list(FOLDER)) {
      for (const { key, modified } of page) {
        const name = key.slice(FOLDER.length);
        if (isUuid(name)) yield { kind: 'blob', key: name, modified };
        else yield { kind: 'foreign', name: key };
      }
    }
  }

  async owner(): Promise<string | undefined> {
    return (await this.bucket.read(OWNER_OBJECT))?.toString().trim();
  }

  async claim(catalogId: string): Promise<void> {
    await this.bucket.putNew(OWNER_OBJECT, Buffer.from(`${catalogId}\n`));
  }

  async release(): Promise<void> {
    await this.bucket.remove(OWNER_OBJECT);
  }

  async ping(): Promise<void> {
    await this.bucket.ping();
  }
}

function objectOf(key: string): string {
  return `${FOLDER}${requireUuid(key)}`;
}
