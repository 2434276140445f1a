import { roomTexts } from '../languages/texts.ts';

export const noticesTexts = roomTexts('notices', {
  label: 'Notices',
  close: 'Close',
});
