import { roomTexts } from '../languages/texts.ts';

export const compareTexts = roomTexts('compare', {
  title: 'Compare',
  hint: 'All pictures zoom and move together. The others are deleted when one is kept.',
  close: 'Back',
  keep: 'Keep this one',
  keepNamed: (name: string): string => `Keep this one: ${name}`,
  facts: { pixels: 'Most pixels', bytes: 'Largest file', same: 'Same file twice' },
  tooFew: 'The other pictures were deleted: there is nothing to compare.',
});
