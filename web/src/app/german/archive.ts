import type { archiveTexts } from '../../archive/archive-texts.ts';
import { words } from './words.ts';

const { pictures } = words;

export const archive = {
  label: 'Herunterladen',
  title: (count) => `${pictures(count)} werden heruntergeladen`,
  waiting: 'Wird vorbereitet …',
  progress: (received, total) => `${received} von ${total}`,
  done: (count) => `${pictures(count)} als eine Datei heruntergeladen`,
  cancelled: 'Herunterladen abgebrochen',
  underWay: 'Es läuft schon ein Download. Bitte warten oder ihn abbrechen.',
  broken: 'Der Download ist abgebrochen, es wurde nichts gespeichert. Bitte erneut versuchen.',
  tooLarge: (most) =>
    `Dieser Browser kann höchstens ${words.size(most)} auf einmal speichern. Bitte weniger Bilder auswählen oder Chrome oder Edge verwenden.`,
} satisfies typeof archiveTexts.english;
