import type { appTexts } from '../../app/app-texts.ts';

export const app = {
  picture: (id) => `Bild ${id}`,
  skip: 'Zu den Bildern springen',
} satisfies typeof appTexts.english;
