import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { number, pictures } = english;

export const headerTexts = roomTexts('header', {
  home: (catalog: string) => `${catalog}: all pictures`,
  search: 'Search',
  closeSearch: 'Close search',
  account: 'Account and settings',
  rights: {
    readOnly: 'The catalog is read-only at present.',
    viewOnly: 'You can view pictures, but not change them.',
    noDeletion: 'You can change pictures, but not delete them.',
    noChange: 'You can delete pictures, but not change them.',
  },
  signedInAs: (name: string | undefined) => name ?? 'Signed in',
  usage: {
    label: 'Storage',
    images: (used: number, limit: number | null): string =>
      limit === null ? pictures(used) : `${number(used)} of ${pictures(limit)}`,
    bytes: (used: number, limit: number | null): string =>
      limit === null ? english.size(used) : `${english.size(used)} of ${english.size(limit)}`,
    /** Names of bars. */
    of: { images: 'Pictures', bytes: 'Space' },
    almostFull: 'Almost full',
    full: 'Full',
    trashed: (images: number, bytes: number): string =>
      `Including ${pictures(images)} in the trash: ${english.size(bytes)}`,
  },
  theme: 'Theme',
  themes: { light: 'Light', dark: 'Dark', system: 'System' },
  language: 'Language',
  shortcuts: 'Keyboard shortcuts',
  apiReference: 'API reference',
});
