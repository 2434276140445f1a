import type { ImageRecord } from '@image-catalog/client';
import { commonTexts } from '../languages/common-texts.ts';
import { takenMinute } from './taken-minute.ts';

type Named = Pick<ImageRecord, 'title' | 'takenAt'> & Partial<Pick<ImageRecord, 'alt'>>;

/** The name of a picture where it is shown as text: its title, else the name of its file. */
export function nameOf({ title, originalName }: Pick<ImageRecord, 'title' | 'originalName'>): string {
  return title ?? originalName;
}

/**
 * The text alternative of a picture, for its `alt` attribute. Empty for a picture that somebody has marked as decorative. A file name
 * says nothing about a picture, so a picture without texts is announced by its time.
 */
export function altOf(record: Named): string {
  return record.alt ?? record.title ?? neutralName(record);
}

/** The name of a control or announcement that stands for a picture. Unlike `altOf` it is never empty. */
export function spokenName(record: Named): string {
  return record.alt || record.title || neutralName(record);
}

function neutralName({ takenAt }: Named): string {
  return takenAt === null ? commonTexts().picture : commonTexts().pictureOf(takenMinute(takenAt));
}
