import type { ImageRecord } from '@image-catalog/client';

const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** Decimal units, as systems show the sizes of files. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  const digits = power > 0 && value < 100 ? 1 : 0;
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${UNITS[power]}`;
}

/** As in `4,032 × 3,024 · 12.2 MP`. */
export function formatDimensions({ width, height }: Pick<ImageRecord, 'width' | 'height'>): string {
  const size = `${width.toLocaleString('en')} × ${height.toLocaleString('en')}`;
  const megapixels = (width * height) / 1_000_000;
  if (megapixels < 0.1) return size;
  return `${size} · ${megapixels.toLocaleString('en', { maximumFractionDigits: 1 })} MP`;
}

export function formatMediaType(mediaType: ImageRecord['mediaType']): string {
  return mediaType === 'image/jpeg' ? 'JPEG' : 'PNG';
}
