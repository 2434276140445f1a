import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { plural } = english;
const newPictures = plural({ one: '# new picture', other: '# new pictures' });

export const liveTexts = roomTexts('live', {
  waiting: (count: number): string => newPictures(count),
  announced: 'There are new pictures',
});
