import type { trashTexts } from '../../trash/trash-texts.ts';
import { words } from './words.ts';

const { pictures, days } = words;

export const trash = {
  hint: (most) =>
    most === 0
      ? 'Der Katalog hat keinen Papierkorb mehr: Diese Bilder werden bald endgültig gelöscht.'
      : `Bilder werden ${days(most)} nach dem Löschen endgültig gelöscht. Bis dahin zählen sie zum Speicherplatz.`,
  noRight: 'Der Papierkorb kann angesehen, aber nicht geändert werden.',
  empty: 'Der Papierkorb ist leer',
  emptyHint: (most) => (most === 0 ? undefined : `Gelöschte Bilder bleiben hier für ${days(most)}.`),
  daysLeft: (left) => (left === 0 ? 'Wird bald endgültig gelöscht' : `Noch ${days(left)}`),
  deleted: (day, by) =>
    `Gelöscht am ${day}${by === undefined ? '' : by === 'you' ? ' vom eigenen Konto' : ` von ${by.subject}`}`,
  restore: 'Wiederherstellen',
  erase: 'Endgültig löschen',
  eraseTitle: (count) => `${pictures(count)} endgültig löschen?`,
  eraseHint: 'Endgültig gelöschte Bilder können nicht wiederhergestellt werden.',
  erased: (count) => (count === 1 ? 'Bild endgültig gelöscht' : `${pictures(count)} endgültig gelöscht`),
  notRestored: (count, reason) =>
    `${pictures(count)} ${count === 1 ? 'konnte' : 'konnten'} nicht wiederhergestellt werden. ${reason}`,
  notErased: (count, reason) =>
    `${pictures(count)} ${count === 1 ? 'konnte' : 'konnten'} nicht endgültig gelöscht werden. ${reason}`,
  news: 'Inzwischen Gelöschtes anzeigen',
  more: 'Mehr anzeigen',
  selectAll: 'Alle auswählen',
} satisfies typeof trashTexts.english;
