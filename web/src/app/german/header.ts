import type { headerTexts } from '../../header/header-texts.ts';
import { words } from './words.ts';

const { number, pictures, ofPictures } = words;

export const header = {
  home: (catalog) => `${catalog}: alle Bilder`,
  search: 'Suchen',
  closeSearch: 'Suche schließen',
  account: 'Konto und Einstellungen',
  rights: {
    readOnly: 'Der Katalog ist zurzeit schreibgeschützt.',
    viewOnly: 'Bilder lassen sich ansehen, aber nicht ändern.',
    noDeletion: 'Bilder lassen sich ändern, aber nicht löschen.',
    noChange: 'Bilder lassen sich löschen, aber nicht ändern.',
  },
  signedInAs: (name) => name ?? 'Angemeldet',
  usage: {
    label: 'Speicher',
    images: (used, limit) => (limit === null ? pictures(used) : `${number(used)} von ${ofPictures(limit)}`),
    bytes: (used, limit) =>
      limit === null ? words.size(used) : `${words.size(used)} von ${words.size(limit)}`,
    of: { images: 'Bilder', bytes: 'Speicherplatz' },
    almostFull: 'Fast voll',
    full: 'Voll',
    trashed: (images, bytes) => `Darunter ${pictures(images)} im Papierkorb: ${words.size(bytes)}`,
  },
  theme: 'Farbschema',
  themes: { light: 'Hell', dark: 'Dunkel', system: 'System' },
  language: 'Sprache',
  shortcuts: 'Tastenkürzel',
  apiReference: 'API-Referenz',
} satisfies typeof headerTexts.english;
