import type { StorageConfig } from './config.ts';

/** Upper bounds of one decode. */
const BYTES_PER_PIXEL = 10;
const BASE_BYTES = 64 * 1024 * 1024;

export function decodeMemoryWarning({
  decodeMemoryBytes,
  upload,
}: Pick<StorageConfig, 'decodeMemoryBytes' | 'upload'>): string | undefined {
  const needed = upload.maxPixels * BYTES_PER_PIXEL + BASE_BYTES;
  if (decodeMemoryBytes >= needed) return undefined;
  return `DECODE_MEMORY_BYTES is below the ${needed} bytes that a picture of UPLOAD_MAX_PIXELS may take: such uploads are rejected with 503 overloaded`;
}
