import { StorageUnavailable } from '../../domain/errors.ts';
import type { Image } from '../../domain/image/image.ts';
import type { BlobStore, FoundBlob } from '../../domain/ports/bytes/blob-store.ts';
import type { ImageInspector, Inspection } from '../../domain/ports/pictures/image-inspector.ts';
import { BlobUnreadable } from './blob-unreadable.ts';

/**
 * For a command. Reads the blob more than once: each reading opens it again.
 *
 * @throws {BlobUnreadable}, which may also mean that the store is unavailable
 * @throws {ImageBeyondLimits | InvalidImage | Overloaded}
 */
export async function inspectBlob(
  blobs: BlobStore,
  inspector: ImageInspector,
  { uuid, size, sha256, mediaType }: Image,
  { localPath }: FoundBlob,
): Promise<Inspection> {
  const read = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    const blob = await blobs.open(uuid);
    if (blob !== undefined) yield* blob.read();
  };
  const requester = { signal: new AbortController().signal, subject: '', isStored: true };
  try {
    return await inspector.inspect({ size, sha256, localPath, read }, mediaType, requester);
  } catch (error) {
    throw error instanceof StorageUnavailable ? new BlobUnreadable(error) : error;
  }
}
