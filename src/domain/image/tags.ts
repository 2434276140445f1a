import { compareCodePoints, fold } from './fold.ts';

/** Tags of one image. */
export const MAX_TAGS = 100;
/** Code points. */
export const TAG_MAX_LENGTH = 64;

/** Of twins, which have the same fold, the first stays. In the order in which tags are shown. */
export function mergedTags(tags: readonly string[]): readonly string[] {
  return [...firstByFold(tags)].toSorted(([a], [b]) => compareCodePoints(a, b)).map(([, tag]) => tag);
}

/** The first of each set of twins, in the order given. */
export function firstByFold(tags: readonly string[]): ReadonlyMap<string, string> {
  const byFold = new Map<string, string>();
  for (const tag of tags) if (!byFold.has(fold(tag))) byFold.set(fold(tag), tag);
  return byFold;
}

export interface TagChanges {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Removals come first. A tag that is there keeps its spelling. */
export function changedTags(tags: readonly string[], { add, remove }: TagChanges): readonly string[] {
  const removed = new Set(remove.map(fold));
  return mergedTags([...tags.filter((tag) => !removed.has(fold(tag))), ...add]);
}
