import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { pictures, days } = english;

export const trashTexts = roomTexts('trash', {
  hint: (most: number): string =>
    most === 0
      ? 'The catalog keeps no trash any more: these pictures are erased soon.'
      : `Pictures are erased ${days(most)} after they were deleted. Until then they count towards the storage.`,
  noRight: 'You can see the trash, but neither restore nor erase pictures.',
  empty: 'The trash is empty',
  emptyHint: (most: number): string | undefined =>
    most === 0 ? undefined : `Deleted pictures stay here for ${days(most)}.`,
  daysLeft: (left: number): string => (left === 0 ? 'Erased soon' : `${days(left)} left`),
  deleted: (day: string, by: 'you' | { readonly subject: string } | undefined): string =>
    `Deleted ${day}${by === undefined ? '' : ` by ${by === 'you' ? by : by.subject}`}`,
  restore: 'Restore',
  erase: 'Erase now',
  eraseTitle: (count: number): string => `Erase ${pictures(count)}?`,
  eraseHint: 'Erased pictures cannot be restored.',
  erased: (count: number): string => (count === 1 ? 'Picture erased' : `${pictures(count)} erased`),
  notRestored: (count: number, reason: string): string =>
    `${pictures(count)} could not be restored. ${reason}`,
  notErased: (count: number, reason: string): string => `${pictures(count)} could not be erased. ${reason}`,
  news: 'Show what was deleted meanwhile',
  more: 'Show more',
  selectAll: 'Select all',
});
