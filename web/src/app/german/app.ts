import type { appTexts } from '../../app/app-texts.ts';

export const app = {
  titleOf: (view) => `${view} – Katalog`,
  picture: (id) => `Bild ${id}`,
  skip: 'Zu den Bildern springen',
} satisfies typeof appTexts.english;
