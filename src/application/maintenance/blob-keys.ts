import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { BlobListing } from '../../domain/ports/blob-store.ts';

/** The keys of all blobs in a store, without foreign files. @param latest skips blobs stored after this time */
export async function* blobKeysIn(
  blobs: BlobListing,
  latest?: Date,
): AsyncGenerator<BlobKey, void, undefined> {
  for await (const entry of blobs.list()) {
    if (entry.kind === 'blob' && (latest === undefined || entry.modified <= latest)) yield entry.key;
  }
}
