import type { editsTexts } from '../../edits/edits-texts.ts';
import { countedSentences } from '../../languages/counted-sentences.ts';
import { words } from './words.ts';

const { number, plural, ofPictures, picturesMissing } = words;
const changesUndone = plural({
  one: 'Änderung von # Bild rückgängig gemacht.',
  other: 'Änderungen von # Bildern rückgängig gemacht.',
});
const changedSince = plural({
  one: '# Bild wurde inzwischen von anderen geändert und bleibt, wie es ist.',
  other: '# Bilder wurden inzwischen von anderen geändert und bleiben, wie sie sind.',
});
const notUndone = plural({
  one: 'Die Änderung von # Bild konnte nicht rückgängig gemacht werden.',
  other: 'Die Änderungen von # Bildern konnten nicht rückgängig gemacht werden.',
});

export const edits = {
  tooMany: (most) =>
    `Änderungen von mehr als ${ofPictures(most)} auf einmal lassen sich nicht rückgängig machen.`,
  progress: (done, count) => `Wird rückgängig gemacht: ${number(done)} von ${ofPictures(count)}`,
  undone: ({ undone, changed, missing, left }) =>
    countedSentences(
      [undone, changesUndone],
      [changed, changedSince],
      [missing, picturesMissing],
      [left, notUndone],
    ),
  again: 'Erneut versuchen',
} satisfies typeof editsTexts.english;
