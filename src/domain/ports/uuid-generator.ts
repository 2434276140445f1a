import type { BlobKey } from '../image/blob-key.ts';

export interface UuidGenerator {
  /** A fresh random UUID (RFC 9562, version 4), lower-case. */
  next(): BlobKey;
}
