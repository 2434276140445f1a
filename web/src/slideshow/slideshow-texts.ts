import { roomTexts } from '../languages/texts.ts';

export const slideshowTexts = roomTexts('slideshow', {
  title: 'Slideshow',
  close: 'End the slideshow',
  pause: 'Pause',
  play: 'Continue',
  empty: 'There are no pictures to show.',
});
