import { countedSentences } from '../languages/counted-sentences.ts';
import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { plural, pictures, picturesMissing, picturesNotChanged } = english;
const tagsChanged = plural({ one: 'Tags of # picture changed.', other: 'Tags of # pictures changed.' });
const tagsFull = plural({
  one: '# picture would have more than 100 tags and stays selected.',
  other: '# pictures would have more than 100 tags and stay selected.',
});

interface TagCounts {
  readonly updated: readonly number[];
  readonly missing: readonly number[];
  readonly refused: readonly number[];
  readonly left: readonly number[];
}

export const selectionBarTexts = roomTexts('selectionBar', {
  more: 'More',
  actions: {
    all: 'Select all',
    star: 'Star',
    share: 'Share',
    edit: 'Edit title and time',
    compare: 'Compare',
    tag: 'Tag',
    download: 'Download',
    delete: 'Delete',
  },
  tagsOf: (count: number): string => `Tags of ${pictures(count)}`,
  add: 'Add tags',
  remove: 'Remove tags',
  removeTag: (count: number): string => (count === 1 ? 'picture: remove' : 'pictures: remove'),
  present: 'Tags of these pictures',
  apply: 'Apply',
  tagged: ({ updated, missing, refused, left }: TagCounts): string =>
    countedSentences(
      [updated.length, tagsChanged],
      [missing.length, picturesMissing],
      [refused.length, tagsFull],
      [left.length, picturesNotChanged],
    ),
});
