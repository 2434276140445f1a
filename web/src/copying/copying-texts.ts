import { roomTexts } from '../languages/texts.ts';

export const copyingTexts = roomTexts('copying', {
  copied: 'Link copied',
  copyByHand: 'Copy the link from this field',
});
