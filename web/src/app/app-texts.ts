import { roomTexts } from '../languages/texts.ts';

export const appTexts = roomTexts('app', {
  titleOf: (view: string) => `${view} – Catalog`,
  picture: (id: number) => `Picture ${id}`,
  skip: 'Skip to the pictures',
});
