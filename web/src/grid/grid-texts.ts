import { roomTexts } from '../languages/texts.ts';

export const gridTexts = roomTexts('grid', {
  label: 'Pictures',
  loading: 'Loading pictures',
  selectMonth: (month: string): string => `Select ${month}`,
  noMatches: 'No pictures match',
  noMatchesHint: 'Take a filter away, or search other words.',
  noStars: 'No picture has a star yet',
  noStarsHint: 'Select pictures and press the star, or F.',
  allPictures: 'Show all pictures',
  clearFilters: 'Clear filters',
});
