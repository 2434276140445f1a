import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { pictures } = english;

export const deletionTexts = roomTexts('deletion', {
  deleted: (count: number): string => (count === 1 ? 'Picture deleted' : `${pictures(count)} deleted`),
  trashed: (count: number): string =>
    count === 1 ? 'Moved to the trash' : `${pictures(count)} moved to the trash`,
  undone: (count: number): string => (count === 1 ? 'Picture restored' : `${pictures(count)} restored`),
  failed: (count: number, reason: string): string => `${pictures(count)} could not be deleted. ${reason}`,
  gone: 'This picture was deleted.',
});
