import type { gridTexts } from '../../grid/grid-texts.ts';

export const grid = {
  label: 'Bilder',
  loading: 'Bilder werden geladen',
  selectMonth: (month) => `${month} auswählen`,
  noMatches: 'Keine passenden Bilder',
  noMatchesHint: 'Einen Filter entfernen oder andere Wörter suchen.',
  noStars: 'Noch kein Bild hat einen Stern',
  noStarsHint: 'Bilder auswählen und den Stern oder F drücken.',
  allPictures: 'Alle Bilder zeigen',
  clearFilters: 'Filter entfernen',
} satisfies typeof gridTexts.english;
