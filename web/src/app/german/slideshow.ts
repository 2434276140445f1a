import type { slideshowTexts } from '../../slideshow/slideshow-texts.ts';

export const slideshow = {
  title: 'Diashow',
  close: 'Diashow beenden',
  pause: 'Anhalten',
  play: 'Fortsetzen',
  empty: 'Es gibt keine Bilder zu zeigen.',
} satisfies typeof slideshowTexts.english;
