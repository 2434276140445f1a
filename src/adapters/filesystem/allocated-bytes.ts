import type { Stats } from 'node:fs';

/** Unit of `stats.blocks` on every file system (stat(2), st_blocks). */
const BLOCK_BYTES = 512;

/**
 * Bytes that a file or a folder takes on the disk. A file counts at least its size: some file systems allocate blocks only when
 * they write back.
 */
export function allocatedBytes(stats: Stats): number {
  const allocated = stats.blocks * BLOCK_BYTES;
  return stats.isFile() ? Math.max(stats.size, allocated) : allocated;
}
