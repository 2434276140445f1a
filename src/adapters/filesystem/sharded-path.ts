import { join } from 'node:path';
import type { BlobKey } from '../../domain/image/blob-key.ts';

/** 256 folders keep each at some thousands of entries per million, and an upload hardly ever has to make one. */
export function shardedPath(root: string, key: BlobKey): string {
  return join(root, key.slice(0, 2), key);
}
