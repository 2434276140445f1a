import type { ImageRecord } from '@image-catalog/client';
import { foldTag } from '../tags/fold-tag.ts';

/** The same in every language: it is stored with the picture. */
export const STAR = 'star';

export function isStar(tag: string): boolean {
  return foldTag(tag) === STAR;
}

/** The record as it is when the star was set or removed. */
export function withStar(record: ImageRecord, isStarred: boolean): ImageRecord {
  const others = record.tags.filter((tag) => !isStar(tag));
  return { ...record, tags: isStarred ? [...others, STAR].sort() : others };
}
