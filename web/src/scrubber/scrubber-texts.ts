import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { number } = english;

export const scrubberTexts = roomTexts('scrubber', {
  label: 'Timeline',
  month: (month: string, count: number): string => `${month}: ${number(count)}`,
});
