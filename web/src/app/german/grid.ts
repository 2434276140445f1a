import type { gridTexts } from '../../grid/grid-texts.ts';

export const grid = {
  label: 'Bilder',
  loading: 'Bilder werden geladen',
  selectMonth: (month) => `${month} auswählen`,
  noMatches: 'Keine passenden Bilder',
  clearFilters: 'Filter entfernen',
} satisfies typeof gridTexts.english;
