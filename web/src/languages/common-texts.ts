import { english } from './english.ts';
import { roomTexts } from './texts.ts';

const { pictures } = english;

export const commonTexts = roomTexts('common', {
  title: 'Title',
  description: 'Description',
  takenUnknown: 'Unknown',
  cancel: 'Cancel',
  trash: 'Trash',
  tags: 'Tags',
  /** Pictures without a capture time. */
  undated: 'Undated',
  pictures,
});
