import type { tagsTexts } from '../../tags/tags-texts.ts';
import { words } from './words.ts';

const { list, suggestions } = words;

export const tags = {
  placeholder: 'Schlagwörter hinzufügen',
  present: (label) => `${label}: vorhanden`,
  remove: (tag) => `${tag} entfernen`,
  added: (tags) => `Hinzugefügt: ${list(tags)}`,
  removed: (tag) => `Entfernt: ${tag}`,
  suggestionsFor: (label) => `${label}: Vorschläge`,
  suggestions,
  problem: {
    'too-long': 'Ein Schlagwort hat höchstens 64 Zeichen.',
    'too-many': 'Ein Bild hat höchstens 100 Schlagwörter.',
  },
} satisfies typeof tagsTexts.english;
