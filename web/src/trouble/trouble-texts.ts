import { roomTexts } from '../languages/texts.ts';

export const troubleTexts = roomTexts('trouble', {
  retry: 'Try again',
  retryNamed: (name: string) => `Try again: ${name}`,
});
