import type { ImageRecord } from '@image-catalog/client';
import { formats } from '../languages/formats.ts';

/** As in `4,032 × 3,024 · 12.2 MP`. */
export function formatDimensions({ width, height }: Pick<ImageRecord, 'width' | 'height'>): string {
  const { number, decimal } = formats();
  const size = `${number(width)} × ${number(height)}`;
  const megapixels = (width * height) / 1_000_000;
  if (megapixels < 0.1) return size;
  return `${size} · ${decimal(megapixels)} MP`;
}
