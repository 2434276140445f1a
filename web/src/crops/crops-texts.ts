import { roomTexts } from '../languages/texts.ts';

export const cropsTexts = roomTexts('crops', {
  focus: 'Focus of crops',
  middle: 'The middle',
  place: (left: string, top: string): string => `${left}% from the left, ${top}% from the top`,
  edit: 'Set the focus of crops',
  hint: 'Click on what crops have to keep, or move the point with the arrow keys.',
  left: 'From the left',
  top: 'From the top',
  clear: 'Use the middle',
  crops: 'Crops',
  save: 'Save',
});
