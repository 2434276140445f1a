import type { copyingTexts } from '../../copying/copying-texts.ts';

export const copying = {
  copied: 'Link kopiert',
  copyByHand: 'Link aus diesem Feld kopieren',
} satisfies typeof copyingTexts.english;
