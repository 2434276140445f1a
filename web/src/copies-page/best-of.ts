import type { ImageRecord } from '@image-catalog/client';

type Copy = Pick<ImageRecord, 'id' | 'width' | 'height' | 'size' | 'title' | 'tags'>;

/**
 * The copy that a person would keep: with the most pixels, then the largest file, then the most words that somebody has given it, then
 * the oldest.
 */
export function bestOf<T extends Copy>(copies: readonly T[]): T | undefined {
  return copies.toSorted(
    (a, b) => pixels(b) - pixels(a) || b.size - a.size || wordCount(b) - wordCount(a) || a.id - b.id,
  )[0];
}

function pixels({ width, height }: Copy): number {
  return width * height;
}

function wordCount({ title, tags }: Copy): number {
  return tags.length + (title === null ? 0 : 1);
}
