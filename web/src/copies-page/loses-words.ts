import type { ImageRecord } from '@image-catalog/client';

type Words = Pick<ImageRecord, 'title' | 'tags'>;

/** Whether the others have words that this one lacks. */
export function losesWords(kept: Words, copies: readonly Words[]): boolean {
  return copies.some(
    ({ title, tags }) =>
      (title !== null && title !== kept.title) || tags.some((tag) => !kept.tags.includes(tag)),
  );
}
