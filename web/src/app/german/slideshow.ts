import type { slideshowTexts } from '../../slideshow/slideshow-texts.ts';

export const slideshow = {
  title: 'Diashow',
  close: 'Diashow beenden',
  pause: 'Anhalten',
  play: 'Fortsetzen',
  end: { empty: 'Es gibt keine Bilder zu zeigen.', failed: 'Die Bilder konnten nicht geladen werden.' },
} satisfies typeof slideshowTexts.english;
