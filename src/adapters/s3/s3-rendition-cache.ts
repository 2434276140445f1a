import type { OpenedBlob } from '../../domain/ports/readable-bytes.ts';
import type { RenditionCache, RenditionKey } from '../../domain/ports/rendition-cache.ts';
import { isUuid, requireUuid } from './object-key.ts';
import type { S3Bucket } from './s3-bucket.ts';

const FOLDER = 'renditions/';

/**
 * Renditions as objects: `<prefix>renditions/<uuid>/<name>`, which any number of processes may share. A lifecycle rule of the
 * bucket bounds them: to know the last use of an object, each use would have to be written.
 *
 * Objects need no checksum of their own, unlike files. A PUT is atomic and its SHA-256 is signed, so a bucket never holds a
 * part of a rendition. A GET that ends before its `Content-Length` is an error.
 */
export class S3RenditionCache implements RenditionCache {
  constructor(private readonly bucket: S3Bucket) {}

  async open(key: RenditionKey): Promise<OpenedBlob | undefined> {
    return await this.bucket.open(objectOf(key));
  }

  async put(key: RenditionKey, bytes: Uint8Array): Promise<void> {
    await this.bucket.putBytes(objectOf(key), bytes);
  }

  async removeAllOf(uuid: string): Promise<void> {
    for await (const page of this.bucket.list(folderOf(uuid))) {
      // One by one: the sizes of an image are few, and not every server knows the request for many.
      await Promise.all(page.map(({ key }) => this.bucket.remove(key)));
    }
  }

  async *listImages(): AsyncGenerator<string, void, undefined> {
    for await (const page of this.bucket.listFolders(FOLDER)) yield* page.filter(isUuid);
  }
}

function folderOf(uuid: string): string {
  return `${FOLDER}${requireUuid(uuid)}/`;
}

function objectOf({ uuid, name }: RenditionKey): string {
  if (!/^[a-z0-9.-]+$/.test(name) || name.startsWith('.'))
    throw new TypeError('A rendition name is one plain path segment');
  return `${folderOf(uuid)}${name}`;
}
