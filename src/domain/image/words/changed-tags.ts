import { foldTag, mergeTags } from './tags.ts';

export interface TagChanges {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Removals come first. A tag that is there keeps its spelling. */
export function changedTags(tags: readonly string[], { add, remove }: TagChanges): readonly string[] {
  const removed = new Set(remove.map(foldTag));
  return mergeTags([...tags.filter((tag) => !removed.has(foldTag(tag))), ...add]);
}
