import type { publishingTexts } from '../../publishing/publishing-texts.ts';
import { words } from './words.ts';

const { number, pictures, plural } = words;
const end = plural({ one: '# öffentliche Adresse endet', other: '# öffentliche Adressen enden' });

export const publishing = {
  title: 'Öffentliche Adressen',
  marked: (name) => `${name}, öffentlich`,
  mark: 'Öffentlich',
  address: 'Öffentliche Adresse',
  addressOf: (name) => `Öffentliche Adresse von ${name}`,
  hint: 'Wer eine öffentliche Adresse hat, sieht das Bild ohne Anmeldung, und später jedes Bild, das den Namen hat.',
  coming: 'Wird veröffentlicht …',
  copy: (name) => `Öffentliche Adresse von ${name} kopieren`,
  unpublish: 'Nicht mehr veröffentlichen',
  unpublishName: (name) => `${name} nicht mehr veröffentlichen`,
  unpublished: (name) => `${name} ist nicht mehr öffentlich.`,
  published: (name) => `${name} ist öffentlich.`,
  gone: (name) => `Der Name ${name} wurde entfernt.`,
  changedMeanwhile: (name) => `Nichts wurde geändert: Jemand hat den Namen ${name} inzwischen geändert.`,
  moves: (name) => `Die öffentliche Adresse von ${name} zeigt dann dieses Bild.`,
  backInPrivate: (name) => `${name} ist wieder da, aber nicht öffentlich: Dafür fehlt das Recht.`,
  open: (picture) => `${picture} öffnen`,
  more: 'Mehr anzeigen',
  empty: 'Keine öffentlichen Adressen',
  emptyHint: 'In den Details gibt „Für Webseiten“ einem Bild einen Namen und eine öffentliche Adresse.',
  deleteTitle: (count) => `${pictures(count)} löschen?`,
  delete: 'Löschen',
  end: (addresses) => `${end(addresses)}. Wer sie öffnet, bekommt kein Bild mehr.`,
  atLeast: (addresses, most) =>
    `${addresses === 0 ? 'Vielleicht enden öffentliche Adressen' : `Mindestens ${end(addresses)}`}: Mehr als ${number(most)} Namen sind öffentlich, und nur die ersten wurden geprüft.`,
  notRestored: 'Ein Bild, das aus dem Papierkorb zurückkommt, hat sie nicht mehr.',
  others: (count) => `und ${number(count)} weitere`,
  checking: 'Öffentliche Adressen, die enden, werden gesucht …',
  unreadable: 'Es war nicht festzustellen, ob öffentliche Adressen enden.',
} satisfies typeof publishingTexts.english;
