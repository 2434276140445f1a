import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { plural } = english;
const tags = plural({ one: '# tag', other: '# tags' });

export const tagsPageTexts = roomTexts('tagsPage', {
  find: 'Find a tag',
  order: 'Sort by',
  orders: { count: 'Most pictures', name: 'Name' },
  count: (count: number, isAll: boolean): string =>
    isAll ? tags(count) : `The first ${tags(count)}: type to find others`,
  untagged: 'Untagged pictures',
  none: 'No tags yet',
  noneHint: 'Open a picture or select some, and press T to add tags.',
  noMatch: 'No tag begins so',
  all: 'Show all tags',
});
