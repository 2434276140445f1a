import type { bulkEditTexts } from '../../bulk-edit/bulk-edit-texts.ts';
import { countedSentences } from '../../languages/counted-sentences.ts';
import { words } from './words.ts';

const { plural, pictures, ofPictures, picturesMissing, picturesNotChanged } = words;
const picturesChanged = plural({ one: '# Bild geändert.', other: '# Bilder geändert.' });

export const bulkEdit = {
  title: (count) => `${pictures(count)} bearbeiten`,
  changeTitle: 'Titel ändern',
  changeDescription: 'Beschreibung ändern',
  changeTime: 'Zeit berichtigen',
  empty: 'Leer: wird entfernt',
  clock: 'Die Uhr der Kamera ging',
  behind: 'nach',
  ahead: 'vor',
  units: { days: 'Tage', hours: 'Stunden', minutes: 'Minuten' },
  first: 'Erstes',
  last: 'Letztes',
  impossible: 'nicht möglich',
  noShift: 'Bitte angeben, um wie viel die Uhr falsch ging.',
  withoutTime: plural({
    one: '# Bild ohne Zeit bleibt, wie es ist.',
    other: '# Bilder ohne Zeit bleiben, wie sie sind.',
  }),
  notLoaded: plural({
    one: '# weiteres Bild ist hier nicht geladen und wird ebenfalls geändert.',
    other: '# weitere Bilder sind hier nicht geladen und werden ebenfalls geändert.',
  }),
  apply: (count) => `${pictures(count)} ändern`,
  asks: {
    title: plural({
      one: 'Kein Titel eingegeben: Das Bild hat danach keinen.',
      other: 'Kein Titel eingegeben: Alle # Bilder haben danach keinen.',
    }),
    description: plural({
      one: 'Keine Beschreibung eingegeben: Das Bild hat danach keine.',
      other: 'Keine Beschreibung eingegeben: Alle # Bilder haben danach keine.',
    }),
  },
  remove: (count) => `Bei ${ofPictures(count)} entfernen`,
  done: ({ updated, missing, left }) =>
    countedSentences(
      [updated.length, picturesChanged],
      [missing.length, picturesMissing],
      [left.length, picturesNotChanged],
    ),
} satisfies typeof bulkEditTexts.english;
