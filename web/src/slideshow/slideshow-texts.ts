import { roomTexts } from '../languages/texts.ts';

export const slideshowTexts = roomTexts('slideshow', {
  title: 'Slideshow',
  close: 'End the slideshow',
  pause: 'Pause',
  play: 'Continue',
  end: { empty: 'There are no pictures to show.', failed: 'The pictures could not be loaded.' },
});
