import { english } from './english.ts';
import { roomTexts } from './texts.ts';

const { pictures } = english;

export const commonTexts = roomTexts('common', {
  detailsLoading: 'Loading the details…',
  title: 'Title',
  description: 'Description',
  takenUnknown: 'Unknown',
  cancel: 'Cancel',
  trash: 'Trash',
  tags: 'Tags',
  pictures,
});
