import type { deletionTexts } from '../../deletion/deletion-texts.ts';
import { words } from './words.ts';

const { pictures } = words;

export const deletion = {
  deleted: (count) => (count === 1 ? 'Bild gelöscht' : `${pictures(count)} gelöscht`),
  trashed: (count) =>
    count === 1 ? 'In den Papierkorb verschoben' : `${pictures(count)} in den Papierkorb verschoben`,
  undone: (count) => (count === 1 ? 'Bild wiederhergestellt' : `${pictures(count)} wiederhergestellt`),
  failed: (count, reason) =>
    `${pictures(count)} ${count === 1 ? 'konnte' : 'konnten'} nicht gelöscht werden. ${reason}`,
  gone: 'Dieses Bild wurde gelöscht.',
} satisfies typeof deletionTexts.english;
