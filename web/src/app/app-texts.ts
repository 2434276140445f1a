import { roomTexts } from '../languages/texts.ts';

export const appTexts = roomTexts('app', {
  picture: (id: number) => `Picture ${id}`,
  skip: 'Skip to the pictures',
});
