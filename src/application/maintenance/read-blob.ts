import { StorageUnavailable } from '../../domain/errors.ts';
import type { BlobStore, OpenedBlob } from '../../domain/ports/blob-store.ts';

/** A blob cannot be read although its store can be used. Its message says why. */
export class BlobUnreadable extends Error {
  constructor(cause: unknown) {
    super(`the blob cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** The first may have come upon a store that was away for a moment. */
const ATTEMPTS = 2;

/**
 * Reads a blob, once more where that failed: a blob that is damaged on its disk and a store that is away look alike, and only
 * the store can tell which it is.
 *
 * @param read what is done with the blob, `undefined` where there is none; it closes it, and may be called twice
 * @throws {BlobUnreadable} where the store can be used and this blob cannot be read
 * @throws {StorageUnavailable} where the store cannot be used
 * @throws what `read` throws, as it is
 */
export async function readBlob<T>(
  blobs: BlobStore,
  key: string,
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

async function open(blobs: BlobStore, key: string): Promise<OpenedBlob | undefined> {
  try {
    const blob = await blobs.open(key);
    if (blob === undefined || blob.bytes instanceof Uint8Array) return blob;
    return { ...blob, bytes: readable(blob.bytes) };
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

/** What `StorageUnavailable` itself says is for clients. */
function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof StorageUnavailable ? error : {};
  return cause instanceof Error ? cause.message : String(cause);
}
