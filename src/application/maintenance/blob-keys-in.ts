import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { BlobListing } from '../../domain/ports/bytes/blob-store.ts';

export interface BlobSearch {
  /** Leaves out blobs that were stored later. */
  readonly latest?: Date;
  /** Hex digits with which the keys begin. */
  readonly prefix?: string | undefined;
}

/** Skips foreign files. */
export async function* blobKeysIn(
  blobs: BlobListing,
  { latest, prefix }: BlobSearch = {},
): AsyncGenerator<BlobKey, void, undefined> {
  for await (const entry of blobs.list(prefix)) {
    if (entry.kind === 'blob' && (latest === undefined || entry.modified <= latest)) yield entry.key;
  }
}
