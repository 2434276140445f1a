import { StorageUnavailable } from '../../domain/errors.ts';
import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { BlobStore } from '../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import { BlobUnreadable } from './blob-unreadable.ts';

/** The store may have been unavailable for a moment. */
const ATTEMPTS = 2;

/**
 * A failed read does not tell a damaged blob from an unavailable store, so each failure pings the store.
 *
 * @param read closes the blob; may be called twice
 * @throws {BlobUnreadable | StorageUnavailable} and what `read` throws
 */
export async function readBlob<T>(
  blobs: BlobStore,
  key: BlobKey,
  read: (blob: OpenedBlob | undefined) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read(await open(blobs, key));
    } catch (error) {
      if (!(error instanceof BlobUnreadable)) throw error;
      await blobs.ping();
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function open(blobs: BlobStore, key: BlobKey): Promise<OpenedBlob | undefined> {
  try {
    const blob = await blobs.open(key);
    return blob && { ...blob, read: () => readable(blob.read()) };
  } catch (error) {
    throw error instanceof StorageUnavailable ? new BlobUnreadable(error) : error;
  }
}

async function* readable(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* bytes;
  } catch (error) {
    throw new BlobUnreadable(error);
  }
}
