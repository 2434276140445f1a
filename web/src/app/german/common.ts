import type { commonTexts } from '../../languages/common-texts.ts';
import { words } from './words.ts';

const { pictures } = words;

export const common = {
  title: 'Titel',
  description: 'Beschreibung',
  alt: 'Alternativtext',
  picture: 'Bild',
  pictureOf: (time) => `Bild vom ${time}`,
  takenUnknown: 'Unbekannt',
  cancel: 'Abbrechen',
  trash: 'Papierkorb',
  tags: 'Schlagwörter',
  undated: 'Ohne Datum',
  pictures,
} satisfies typeof commonTexts.english;
