import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { plural } = english;
const starSet = plural({ one: 'Picture starred', other: '# pictures starred' });
const starRemoved = plural({ one: 'Star removed', other: 'Stars of # pictures removed' });
const starRefused = plural({
  one: '# picture has 100 tags already, and no room for a star.',
  other: '# pictures have 100 tags already, and no room for a star.',
});

export const starTexts = roomTexts('star', {
  filter: 'Starred',
  set: 'Star',
  starred: (name: string): string => `${name}, starred`,
  said: (count: number, isStarred: boolean): string => (isStarred ? starSet(count) : starRemoved(count)),
  refused: (count: number): string => starRefused(count),
});
