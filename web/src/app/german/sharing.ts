import type { sharingTexts } from '../../sharing/sharing-texts.ts';
import { words } from './words.ts';

const { pictures, days } = words;

export const sharing = {
  title: (count) => `${pictures(count)} als Seite teilen`,
  pageTitle: 'Titel der Seite',
  optional: 'Freiwillig',
  validFor: 'Gültig für',
  days,
  warning:
    'Wer den Link hat, kann diese Bilder ohne Anmeldung ansehen und herunterladen. Kameradaten und Ort sind nicht dabei.',
  create: 'Link erstellen',
  address: 'Adresse',
  copy: 'Link kopieren',
  done: 'Fertig',
  validUntil: (time) =>
    `Gültig bis ${words.localMinute(time)}. Wer diesen Link hat, kann diese Bilder ansehen.`,
  tooMany: (most) => `Eine Seite zeigt höchstens ${pictures(most)}. Bitte weniger auswählen.`,
} satisfies typeof sharingTexts.english;
