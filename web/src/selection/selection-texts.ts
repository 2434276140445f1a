import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { number, pictures, picturesMissing } = english;

export const selectionTexts = roomTexts('selection', {
  tooMany: (most: number): string => `At most ${number(most)} pictures can be selected at a time.`,
  failed: 'The pictures in between could not be loaded. Nothing was selected.',
  label: 'Selected pictures',
  selected: (count: number): string => `${number(count)} selected`,
  clear: 'Clear the selection',
  progress: (done: number, count: number): string => `${number(done)} of ${pictures(count)}`,
  missing: picturesMissing,
});
