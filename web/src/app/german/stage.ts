import type { stageTexts } from '../../stage/stage-texts.ts';

export const stage = {
  missing: 'Dieses Bild ist nicht im Katalog.',
  failed: 'Das Bild konnte nicht geladen werden.',
  zoomIn: 'Vergrößern',
  zoomOut: 'Ganzes Bild zeigen',
  previous: 'Vorheriges Bild',
  next: 'Nächstes Bild',
} satisfies typeof stageTexts.english;
