import { roomTexts } from '../languages/texts.ts';

export const gridTexts = roomTexts('grid', {
  label: 'Pictures',
  loading: 'Loading pictures',
  selectMonth: (month: string): string => `Select ${month}`,
  noMatches: 'No pictures match',
  clearFilters: 'Clear filters',
});
