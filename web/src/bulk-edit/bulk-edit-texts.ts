import { countedSentences } from '../languages/counted-sentences.ts';
import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { plural, pictures, picturesMissing, picturesNotChanged } = english;
const picturesChanged = plural({ one: '# picture changed.', other: '# pictures changed.' });

interface EditCounts {
  readonly updated: readonly number[];
  readonly missing: readonly number[];
  readonly left: readonly number[];
}

export const bulkEditTexts = roomTexts('bulkEdit', {
  title: (count: number): string => `Edit ${pictures(count)}`,
  changeTitle: 'Change the title',
  changeDescription: 'Change the description',
  changeTime: 'Correct the time',
  empty: 'Empty: it is removed',
  clock: 'The clock of the camera was',
  behind: 'behind',
  ahead: 'ahead',
  units: { days: 'Days', hours: 'Hours', minutes: 'Minutes' },
  first: 'First',
  last: 'Last',
  impossible: 'not possible',
  noShift: 'Enter by how much the clock was wrong.',
  withoutTime: plural({
    one: '# picture without a time stays as it is.',
    other: '# pictures without a time stay as they are.',
  }),
  notLoaded: plural({
    one: '# further picture is not loaded here, and is changed as well.',
    other: '# further pictures are not loaded here, and are changed as well.',
  }),
  apply: (count: number): string => `Change ${pictures(count)}`,
  /** What is asked before texts are removed. */
  asks: {
    title: plural({
      one: 'No title is entered: the picture will have none.',
      other: 'No title is entered: all # pictures will have none.',
    }),
    description: plural({
      one: 'No description is entered: the picture will have none.',
      other: 'No description is entered: all # pictures will have none.',
    }),
  },
  remove: (count: number): string => `Remove from ${pictures(count)}`,
  done: ({ updated, missing, left }: EditCounts): string =>
    countedSentences(
      [updated.length, picturesChanged],
      [missing.length, picturesMissing],
      [left.length, picturesNotChanged],
    ),
});
