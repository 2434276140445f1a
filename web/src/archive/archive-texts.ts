import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { pictures } = english;

export const archiveTexts = roomTexts('archive', {
  label: 'Download',
  title: (count: number): string => `Downloading ${pictures(count)}`,
  waiting: 'Preparing…',
  progress: (received: string, total: string): string => `${received} of ${total}`,
  done: (count: number): string => `${pictures(count)} downloaded as one file`,
  cancelled: 'Download cancelled',
  underWay: 'A download is under way. Wait until it is done, or cancel it.',
  broken: 'The download broke off, and nothing was saved. Try again.',
  tooLarge: (most: number): string =>
    `This browser can save at most ${english.size(most)} at a time. Select fewer pictures, or use Chrome or Edge.`,
});
