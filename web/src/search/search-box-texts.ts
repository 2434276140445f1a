import { roomTexts } from '../languages/texts.ts';

export const searchBoxTexts = roomTexts('searchBox', {
  placeholder: 'Search words, tags, dates…',
});
