import { foldTag } from './fold-tag.ts';

/** Suggestions that are no tags of the picture yet. */
export function newSuggestions<T extends { readonly tag: string }>(
  suggestions: readonly T[],
  present: readonly string[],
): readonly T[] {
  const known = new Set(present.map(foldTag));
  return suggestions.filter(({ tag }) => !known.has(foldTag(tag)));
}
