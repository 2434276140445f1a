import { countedSentences } from '../../languages/counted-sentences.ts';
import type { selectionBarTexts } from '../../selection-bar/selection-bar-texts.ts';
import { words } from './words.ts';

const { plural, picturesMissing, picturesNotChanged, ofPictures } = words;
const tagsChanged = plural({
  one: 'Schlagwörter von # Bild geändert.',
  other: 'Schlagwörter von # Bildern geändert.',
});
const tagsFull = plural({
  one: '# Bild hätte mehr als 100 Schlagwörter und bleibt ausgewählt.',
  other: '# Bilder hätten mehr als 100 Schlagwörter und bleiben ausgewählt.',
});

export const selectionBar = {
  more: 'Mehr',
  actions: {
    all: 'Alle',
    star: 'Stern',
    compare: 'Vergleichen',
    share: 'Teilen',
    edit: 'Titel und Zeit bearbeiten',
    tag: 'Schlagwörter',
    download: 'Herunterladen',
    delete: 'Löschen',
  },
  tagsOf: (count) => `Schlagwörter von ${ofPictures(count)}`,
  add: 'Schlagwörter hinzufügen',
  remove: 'Schlagwörter entfernen',
  removeTag: (count) => (count === 1 ? 'Bild: entfernen' : 'Bilder: entfernen'),
  present: 'Schlagwörter dieser Bilder',
  apply: 'Übernehmen',
  tagged: ({ updated, missing, refused, left }) =>
    countedSentences(
      [updated.length, tagsChanged],
      [missing.length, picturesMissing],
      [refused.length, tagsFull],
      [left.length, picturesNotChanged],
    ),
} satisfies typeof selectionBarTexts.english;
