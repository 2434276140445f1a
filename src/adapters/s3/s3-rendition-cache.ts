import { mapConcurrently } from '../../application/concurrency/map-concurrently.ts';
import { type BlobKey, isBlobKey } from '../../domain/image/blob-key.ts';
import type { ByteRange } from '../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { RenditionCache, RenditionKey } from '../../domain/ports/bytes/rendition-cache.ts';
import type { TemporaryFile } from '../../domain/ports/bytes/temporary-files.ts';
import type { S3Bucket } from './s3-bucket.ts';

const FOLDER = 'renditions/';

const REMOVED_AT_A_TIME = 16;

/**
 * Any number of processes may share it. A lifecycle rule bounds it: tracking last uses would take a write per use.
 *
 * No checksums, unlike files: a PUT is atomic and its SHA-256 is signed. A GET that ends before its `Content-Length` is an error.
 */
export class S3RenditionCache implements RenditionCache {
  readonly isLocal = false;

  constructor(private readonly bucket: S3Bucket) {}

  async open(key: RenditionKey, range?: ByteRange): Promise<OpenedBlob | undefined> {
    return await this.bucket.open(objectOf(key), range);
  }

  async put(key: RenditionKey, bytes: Uint8Array | TemporaryFile): Promise<void> {
    if (bytes instanceof Uint8Array) await this.bucket.putBytes(objectOf(key), bytes);
    else await this.bucket.put(objectOf(key), bytes);
  }

  async removeAllOf(uuid: BlobKey): Promise<void> {
    for await (const page of this.bucket.list(folderOf(uuid))) {
      // Not every server knows the request that removes many objects.
      await mapConcurrently(page, REMOVED_AT_A_TIME, ({ key }) => this.bucket.remove(key));
    }
  }

  async *listImages(prefix = ''): AsyncGenerator<BlobKey, void, undefined> {
    for await (const page of this.bucket.listFolders(FOLDER, prefix)) yield* page.filter(isBlobKey);
  }
}

function folderOf(uuid: BlobKey): string {
  return `${FOLDER}${uuid}/`;
}

function objectOf({ uuid, name }: RenditionKey): string {
  if (!/^[a-z0-9.-]+$/.test(name) || name.startsWith('.')) {
    throw new TypeError('A rendition name is one plain path segment');
  }
  return `${folderOf(uuid)}${name}`;
}
