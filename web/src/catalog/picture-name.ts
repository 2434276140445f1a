import type { ImageRecord } from '@image-catalog/client';

export function nameOf({ title, originalName }: ImageRecord): string {
  return title ?? originalName;
}
