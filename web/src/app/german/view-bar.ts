import type { viewBarTexts } from '../../view-bar/view-bar-texts.ts';

export const viewBar = {
  view: 'Ansicht',
  filters: 'Filter',
  remove: (filter) => `${filter} entfernen`,
  clearAll: 'Alle entfernen',
  sort: 'Sortieren nach',
  sorts: {
    taken: 'Datum',
    added: 'Zuletzt hinzugefügt',
    'first-added': 'Zuerst hinzugefügt',
    random: 'Zufällig',
  },
  shuffle: 'Neu mischen',
} satisfies typeof viewBarTexts.english;
