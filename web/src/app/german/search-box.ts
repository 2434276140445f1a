import type { searchBoxTexts } from '../../search/search-box-texts.ts';

export const searchBox = {
  placeholder: 'Wort, Schlagwort, Datum …',
} satisfies typeof searchBoxTexts.english;
