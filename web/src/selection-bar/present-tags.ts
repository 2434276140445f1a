import type { ImageList } from '../images/image-list.ts';

const SHOWN = 12;

export interface PresentTag {
  readonly tag: string;
  /** Selected pictures that have it. */
  readonly count: number;
}

/** Tags of the selected pictures that are loaded, the most frequent first. */
export function presentTags(
  list: Pick<ImageList, 'find'> | undefined,
  ids: Iterable<number>,
): readonly PresentTag[] {
  const counts = new Map<string, number>();
  for (const id of ids) {
    for (const tag of list?.find(id)?.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, SHOWN);
}
