import type { BlobKey } from '../image/blob-key.ts';

export interface UuidGenerator {
  /** Makes a random UUID (RFC 9562, version 4), lower-case. */
  next(): BlobKey;
}
