import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { number } = english;

export const viewerTexts = roomTexts('viewer', {
  label: 'Picture',
  download: 'Download the original',
  delete: 'Delete',
  panel: 'Details',
  first: 'This is the first picture',
  last: 'This is the last picture',
  place: (position: number, count: number): string => `${number(position)} of ${number(count)}`,
});
