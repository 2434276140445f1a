import type { scrubberTexts } from '../../scrubber/scrubber-texts.ts';
import { words } from './words.ts';

const { number } = words;

export const scrubber = {
  label: 'Zeitleiste',
  month: (month, count) => `${month}: ${number(count)}`,
} satisfies typeof scrubberTexts.english;
