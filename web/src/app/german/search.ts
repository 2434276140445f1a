import type { searchTexts } from '../../search/search-texts.ts';
import { words } from './words.ts';

const { suggestions } = words;

export const search = {
  label: 'Suche',
  clear: 'Suche leeren',
  suggestionsLabel: 'Filter',
  suggestions: (count) => (count === 0 ? 'Keine Vorschläge' : suggestions(count)),
  kinds: { tag: 'Schlagwort', date: 'Datum', type: 'Dateityp' },
  words: (words) => `„${words}“`,
  untagged: ['Ohne Schlagwort', 'Ohne Schlagwörter', 'Unverschlagwortet'],
  undated: ['Ohne Datum', 'Undatiert'],
  undescribed: ['Ohne Alternativtext', 'Kein Alternativtext', 'Alternativtext fehlt'],
  uploadedBy: (subject) => `Hochgeladen von ${subject}`,
  captures: {
    camera: (words) => `Kamera: ${words}`,
    lens: (words) => `Objektiv: ${words}`,
  },
  captureWords: { camera: 'kamera', lens: 'objektiv' },
  removed: (filter) => `Entfernt: ${filter}`,
  added: (filter) => `Gefiltert nach ${filter}`,
  otherReadings: 'Stattdessen zeigen:',
  dates: {
    today: ['Heute'],
    yesterday: ['Gestern'],
    thisMonth: ['Dieser Monat', 'Diesen Monat'],
    lastMonth: ['Letzter Monat', 'Letzten Monat', 'Voriger Monat', 'Vorigen Monat'],
    thisYear: ['Dieses Jahr'],
    lastYear: ['Letztes Jahr', 'Voriges Jahr', 'Vergangenes Jahr'],
    last7Days: ['Letzte 7 Tage', 'Die letzten 7 Tage'],
    last30Days: ['Letzte 30 Tage', 'Die letzten 30 Tage'],
  },
  dateSides: {
    since: ['seit', 'ab', 'von'],
    after: ['nach'],
    until: ['bis'],
    before: ['vor'],
    between: ['bis'],
  },
  since: (date) => `Seit ${date}`,
  until: (date) => `Bis ${date}`,
  after: (time) => `Nach ${time}`,
  before: (time) => `Vor ${time}`,
  between: (first, last) => `${first} – ${last}`,
} satisfies typeof searchTexts.english;
