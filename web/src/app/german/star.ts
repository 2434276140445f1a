import type { starTexts } from '../../star/star-texts.ts';
import { words } from './words.ts';

const { plural } = words;
const starSet = plural({ one: 'Stern gesetzt', other: 'Stern für # Bilder gesetzt' });
const starRemoved = plural({ one: 'Stern entfernt', other: 'Stern von # Bildern entfernt' });
const starRefused = plural({
  one: '# Bild hat schon 100 Schlagwörter und keinen Platz für einen Stern.',
  other: '# Bilder haben schon 100 Schlagwörter und keinen Platz für einen Stern.',
});

export const star = {
  filter: 'Mit Stern',
  set: 'Stern',
  starred: (name) => `${name}, mit Stern`,
  said: (count, isStarred) => (isStarred ? starSet(count) : starRemoved(count)),
  refused: (count) => starRefused(count),
} satisfies typeof starTexts.english;
