import { english } from '../languages/english.ts';
import { roomTexts } from '../languages/texts.ts';

const { list, suggestions } = english;

export const tagsTexts = roomTexts('tags', {
  placeholder: 'Add tags',
  present: (label: string): string => `${label}: present`,
  remove: (tag: string): string => `Remove ${tag}`,
  added: (tags: readonly string[]): string => `Added ${list(tags)}`,
  removed: (tag: string): string => `Removed ${tag}`,
  suggestionsFor: (label: string): string => `${label}: suggestions`,
  suggestions,
  problem: {
    'too-long': 'A tag has at most 64 characters.',
    'too-many': 'A picture has at most 100 tags.',
  },
});
