import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { BlobListing } from '../../domain/ports/bytes/blob-store.ts';

/** Skips foreign files, and blobs stored after `latest`. */
export async function* blobKeysIn(
  blobs: BlobListing,
  latest?: Date,
): AsyncGenerator<BlobKey, void, undefined> {
  for await (const entry of blobs.list()) {
    if (entry.kind === 'blob' && (latest === undefined || entry.modified <= latest)) yield entry.key;
  }
}
