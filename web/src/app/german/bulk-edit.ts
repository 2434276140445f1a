import type { bulkEditTexts } from '../../bulk-edit/bulk-edit-texts.ts';
import { words } from './words.ts';

const { plural, pictures, picturesMissing, picturesNotChanged } = words;
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
  done: (updated, missing, left) =>
    [
      updated > 0 ? picturesChanged(updated) : '',
      missing > 0 ? picturesMissing(missing) : '',
      left > 0 ? picturesNotChanged(left) : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
} satisfies typeof bulkEditTexts.english;
