import { type BlobKey, isBlobKey } from '../../domain/image/blob-key.ts';
import type { BlobStorage, ByteRange, FoundBlob, StoreEntry } from '../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { StagedFile } from '../../domain/ports/bytes/staging-area.ts';
import type { LinkedHeaders, StoreLinks } from '../../domain/ports/bytes/store-links.ts';
import type { S3Bucket } from './s3-bucket.ts';

/** S3 itself distributes keys with equal prefixes. */
const FOLDER = 'blobs/';

/** Says which catalog the prefix belongs to. */
const OWNER_OBJECT = 'catalog-id';

/** Any number of processes may share the prefix. No object is overwritten. */
export class S3BlobStore implements BlobStorage, StoreLinks {
  constructor(private readonly bucket: S3Bucket) {}

  async put(key: BlobKey, file: StagedFile): Promise<void> {
    await this.bucket.put(objectOf(key), file);
    await file.discard();
  }

  async open(key: BlobKey, range?: ByteRange): Promise<OpenedBlob | undefined> {
    return await this.bucket.open(objectOf(key), range);
  }

  async find(key: BlobKey): Promise<FoundBlob | undefined> {
    return await this.bucket.find(objectOf(key));
  }

  async remove(key: BlobKey): Promise<void> {
    await this.bucket.remove(objectOf(key));
  }

  async linkTo(key: BlobKey, headers: LinkedHeaders): Promise<string> {
    return await this.bucket.linkTo(objectOf(key), headers);
  }

  async *list(prefix = ''): AsyncGenerator<StoreEntry, void, undefined> {
    for await (const page of this.bucket.list(`${FOLDER}${prefix}`)) {
      for (const { key, modified } of page) {
        const name = key.slice(FOLDER.length);
        if (isBlobKey(name)) yield { kind: 'blob', key: name, modified };
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

function objectOf(key: BlobKey): string {
  return `${FOLDER}${key}`;
}
