import { roomTexts } from '../languages/texts.ts';

export const viewBarTexts = roomTexts('viewBar', {
  view: 'View',
  filters: 'Filters',
  remove: (filter: string) => `Remove ${filter}`,
  clearAll: 'Clear all',
  sort: 'Sort by',
  sorts: {
    taken: 'Date taken',
    added: 'Recently added',
    'first-added': 'First added',
    random: 'Random walk',
  },
  shuffle: 'Shuffle again',
});
