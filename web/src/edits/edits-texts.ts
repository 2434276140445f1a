import { countedSentences } from '../languages/counted-sentences.ts';
import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { number, plural, pictures, picturesMissing } = english;
const changesUndone = plural({ one: 'Change of # picture undone.', other: 'Changes of # pictures undone.' });
const changedSince = plural({
  one: '# picture was changed by someone else since and stays as it is.',
  other: '# pictures were changed by someone else since and stay as they are.',
});
const notUndone = plural({
  one: '# picture could not be changed back.',
  other: '# pictures could not be changed back.',
});

interface UndoCounts {
  readonly undone: number;
  readonly changed: number;
  readonly missing: number;
  readonly left: number;
}

export const editsTexts = roomTexts('edits', {
  tooMany: (most: number): string => `Changes of more than ${pictures(most)} at a time cannot be undone.`,
  progress: (done: number, count: number): string => `Undoing: ${number(done)} of ${pictures(count)}`,
  undone: ({ undone, changed, missing, left }: UndoCounts): string =>
    countedSentences(
      [undone, changesUndone],
      [changed, changedSince],
      [missing, picturesMissing],
      [left, notUndone],
    ),
  again: 'Try again',
});
