import type { viewerTexts } from '../../viewer/viewer-texts.ts';
import { words } from './words.ts';

const { number } = words;

export const viewer = {
  label: 'Bild',
  download: 'Original herunterladen',
  delete: 'Löschen',
  panel: 'Details',
  first: 'Das ist das erste Bild',
  last: 'Das ist das letzte Bild',
  place: (position, count) => `${number(position)} von ${number(count)}`,
} satisfies typeof viewerTexts.english;
