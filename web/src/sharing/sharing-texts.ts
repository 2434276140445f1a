import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { pictures, days } = english;

export const sharingTexts = roomTexts('sharing', {
  title: (count: number): string => `Share ${pictures(count)} as a page`,
  pageTitle: 'Title of the page',
  optional: 'Optional',
  validFor: 'Valid for',
  days,
  warning:
    'Anyone with the link can see and download these pictures, without signing in. They come without camera data and place.',
  create: 'Create the link',
  address: 'Link',
  copy: 'Copy the link',
  done: 'Done',
  validUntil: (time: string): string =>
    `Valid until ${english.localMinute(time)}. Anyone with this link can see these pictures.`,
  tooMany: (most: number): string => `A page has at most ${pictures(most)}. Select fewer.`,
});
