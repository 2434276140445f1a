import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { BlobListing } from '../../domain/ports/bytes/blob-store.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';

export interface BlobSearch {
  /** Leaves out blobs that were stored later. */
  readonly latest?: Date;
  /** Hex digits with which the keys begin. */
  readonly prefix?: string | undefined;
  /** Throws its reason. */
  readonly stopped?: Cancellation | undefined;
}

/** Skips foreign files. */
export async function* blobKeysIn(
  blobs: BlobListing,
  { latest, prefix, stopped }: BlobSearch = {},
): AsyncGenerator<BlobKey, void, undefined> {
  for await (const entry of blobs.list(prefix)) {
    stopped?.throwIfAborted();
    if (entry.kind === 'blob' && (latest === undefined || entry.modified <= latest)) yield entry.key;
  }
}
