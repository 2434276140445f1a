import { boundOfInspection } from '../../adapters/decoder/decode-bounds.ts';
import type { StorageConfig } from '../config/config.ts';

export function decodeMemoryWarning({
  decodeMemoryBytes,
  upload,
}: Pick<StorageConfig, 'decodeMemoryBytes' | 'upload'>): string | undefined {
  const needed = boundOfInspection(upload.maxPixels);
  if (decodeMemoryBytes >= needed) return undefined;
  return `DECODE_MEMORY_BYTES is below the ${needed} bytes that an image of UPLOAD_MAX_PIXELS may take: such uploads are rejected with 503 overloaded`;
}
