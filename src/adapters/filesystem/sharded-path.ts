import { join } from 'node:path';
import type { BlobKey } from '../../domain/image/blob-key.ts';

/**
 * `ab/<uuid>`: 256 folders keep each at some thousands of entries per million. They are few enough that an upload hardly ever
 * has to make one and sync it.
 */
export function shardedPath(root: string, key: BlobKey): string {
  return join(root, key.slice(0, 2), key);
}
