import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { pictures } = english;

export const copiesPageTexts = roomTexts('copiesPage', {
  title: 'Copies',
  all: 'All copies',
  hint: 'The same picture more than once: in another size, format or quality, or the same file.',
  none: 'No copies',
  noneHint: 'No picture of this catalog is there twice.',
  group: pictures,
  best: 'Best',
  bestHint: 'Most pixels, then the largest file',
  keepBest: 'Keep the best',
  keepBestOf: (name: string): string => `Keep the best: ${name}`,
  compareWith: (name: string): string => `Compare: ${name}`,
  wordsLost: 'A title or tags of the others go with them.',
  more: 'Show more',
});
