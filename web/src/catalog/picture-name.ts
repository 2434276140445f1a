import type { ImageRecord } from '@image-catalog/client';

export function nameOf({ title, originalName }: Pick<ImageRecord, 'title' | 'originalName'>): string {
  return title ?? originalName;
}
