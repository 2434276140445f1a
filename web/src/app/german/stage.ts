import type { stageTexts } from '../../stage/stage-texts.ts';

export const stage = {
  deleted: 'Dieses Bild wurde gelöscht.',
  failed: 'Das Bild konnte nicht geladen werden.',
  zoomIn: 'Vergrößern',
  zoomOut: 'Ganzes Bild zeigen',
  previous: 'Vorheriges Bild',
  next: 'Nächstes Bild',
} satisfies typeof stageTexts.english;
