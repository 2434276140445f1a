import type { panelTexts } from '../../panel/panel-texts.ts';
import { words } from './words.ts';

const { number } = words;

export const panel = {
  label: 'Details',
  close: 'Details schließen',
  changed: 'Details geändert',
  addTitle: 'Titel hinzufügen',
  addDescription: 'Beschreibung hinzufügen',
  tags: 'Schlagwörter',
  taken: 'Aufgenommen',
  byCamera: 'Laut Kamera',
  byHand: 'Von Hand gesetzt',
  editTaken: 'Zeitpunkt bearbeiten',
  time: 'Datum und Uhrzeit',
  offset: 'Abweichung von UTC',
  offsetHint: 'Freiwillig, zum Beispiel +02:00',
  save: 'Speichern',
  cameraTime: 'Zeit der Kamera verwenden',
  clearTaken: 'Zeitpunkt entfernen',
  takenProblem: {
    time: 'Bitte Datum und Uhrzeit eingeben.',
    offset: 'Bitte eine Abweichung wie +02:00 eingeben, höchstens 14 Stunden.',
  },
  camera: 'Kamera',
  place: 'Ort',
  directions: { north: 'N', south: 'S', east: 'O', west: 'W' },
  file: 'Datei',
  added: (time, by) =>
    by === 'you'
      ? `Selbst hinzugefügt am ${time}`
      : `Hinzugefügt am ${time}${by ? ` von ${by.subject}` : ''}`,
  filterBy: { camera: 'Bilder dieser Kamera zeigen', lens: 'Bilder dieses Objektivs zeigen' },
  websites: 'Für Websites',
  links: 'Links',
  copyPage: 'Link kopieren',
  copyPageHint: 'Für alle, die sich anmelden können.',
  copyPublic: 'Öffentlichen Link kopieren',
  copyPublicHint: (tellsAll) =>
    `Zeigt allen ${tellsAll ? 'die Originaldatei' : 'nur das Bild'}, 7 Tage lang.`,
  tellAll: 'Mit Kameradaten und Ort',
  tells: (facts) => `Die Datei verrät dann auch: ${facts.join('\u00a0· ')}`,
  perhapsPlace: 'vielleicht den Ort',
  downloads: 'Herunterladen',
  original: (size) => `Original, ${size}`,
  clean: 'Ohne Kameradaten und Ort',
  size: 'Größe',
  format: 'Format',
  download: 'Herunterladen',
  similar: 'Ähnliche Bilder',
  kinds: { copy: 'Kopie', burst: 'Selbe Serie', similar: 'Ähnlich' },
  conflict: 'Jemand anderes hat dieses Bild inzwischen geändert. Zu sehen ist jene Fassung.',
  mine: 'Meine verwenden',
  gone: 'Nicht gespeichert: Das Bild wurde inzwischen gelöscht. Der Text bleibt hier stehen.',
  notSaved: (reason) => `Nicht gespeichert. ${reason}`,
  refused: (reason) => `Nicht gespeichert: ${reason}.`,
  refusals: {
    blank: 'Das Feld darf nicht leer sein',
    commas: 'Kommas sind nicht erlaubt',
    signs: 'Ein Zeichen ist nicht erlaubt',
    characters: (most) => `Höchstens ${number(most)} Zeichen sind erlaubt`,
    tags: (most) => `Höchstens ${number(most)} Schlagwörter sind erlaubt`,
    other: (message) => message,
  },
  compare: 'Vergleichen',
} satisfies typeof panelTexts.english;
