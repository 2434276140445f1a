import type { copiesPageTexts } from '../../copies-page/copies-page-texts.ts';
import { words } from './words.ts';

const { pictures } = words;

export const copiesPage = {
  title: 'Kopien',
  all: 'Alle Kopien',
  hint: 'Dasselbe Bild mehrmals: in anderer Größe, anderem Format, anderer Qualität oder als dieselbe Datei.',
  none: 'Keine Kopien',
  noneHint: 'Kein Bild dieses Katalogs ist doppelt vorhanden.',
  group: pictures,
  best: 'Bestes',
  bestHint: 'Meiste Pixel, dann größte Datei',
  keepBest: 'Bestes behalten',
  keepBestOf: (name) => `Bestes behalten: ${name}`,
  compareWith: (name) => `Vergleichen: ${name}`,
  wordsLost: 'Titel oder Schlagwörter der übrigen Bilder gehen mit ihnen verloren.',
  more: 'Mehr anzeigen',
} satisfies typeof copiesPageTexts.english;
