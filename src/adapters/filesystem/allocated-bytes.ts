import type { Stats } from 'node:fs';

/** Unit of `stats.blocks` on every file system (stat(2), st_blocks). */
const BLOCK_BYTES = 512;

/** At least the size of a file: some file systems allocate blocks only when they write back. */
export function allocatedBytes(stats: Stats): number {
  const allocated = stats.blocks * BLOCK_BYTES;
  return stats.isFile() ? Math.max(stats.size, allocated) : allocated;
}
