import { english } from './english.ts';
import { roomTexts } from './texts.ts';

const { pictures } = english;

export const commonTexts = roomTexts('common', {
  title: 'Title',
  description: 'Description',
  alt: 'Alternative text',
  /** The text alternative of a picture that has no texts. */
  picture: 'Picture',
  pictureOf: (time: string): string => `Picture of ${time}`,
  takenUnknown: 'Unknown',
  cancel: 'Cancel',
  trash: 'Trash',
  tags: 'Tags',
  /** Pictures without a capture time. */
  undated: 'Undated',
  pictures,
});
