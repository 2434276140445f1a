import type { tagsPageTexts } from '../../tags-page/tags-page-texts.ts';
import { words } from './words.ts';

const { plural } = words;
const tags = plural({ one: '# Schlagwort', other: '# Schlagwörter' });

export const tagsPage = {
  find: 'Schlagwort suchen',
  order: 'Sortieren nach',
  orders: { count: 'Meiste Bilder', name: 'Alphabetisch' },
  count: (count, isAll) => (isAll ? tags(count) : `Die ersten ${tags(count)}: weitere durch Tippen`),
  untagged: 'Bilder ohne Schlagwort',
  none: 'Noch keine Schlagwörter',
  noneHint: 'Bild öffnen oder Bilder auswählen und mit T Schlagwörter hinzufügen.',
  noMatch: 'Kein Schlagwort beginnt so',
  all: 'Alle Schlagwörter zeigen',
} satisfies typeof tagsPageTexts.english;
