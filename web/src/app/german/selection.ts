import type { selectionTexts } from '../../selection/selection-texts.ts';
import { words } from './words.ts';

const { number, pictures, picturesMissing, ofPictures } = words;

export const selection = {
  tooMany: (most) => `Es lassen sich höchstens ${pictures(most)} auf einmal auswählen.`,
  failed: 'Die Bilder dazwischen konnten nicht geladen werden. Es wurde nichts ausgewählt.',
  label: 'Ausgewählte Bilder',
  selected: (count) => `${number(count)} ausgewählt`,
  clear: 'Auswahl aufheben',
  progress: (done, count) => `${number(done)} von ${ofPictures(count)}`,
  missing: picturesMissing,
} satisfies typeof selectionTexts.english;
