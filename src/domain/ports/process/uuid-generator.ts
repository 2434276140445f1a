import type { BlobKey } from '../../image/blob-key.ts';

export interface UuidGenerator {
  /** Random, lower-case (RFC 9562, version 4). */
  next(): BlobKey;
}
