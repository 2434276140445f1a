import type { ImageRecord } from '@image-catalog/client';

/** The part of the list of images that knows what is loaded. */
interface LoadedRecords {
  positionOf(id: number): number | undefined;
  recordAt(position: number): ImageRecord | undefined;
}

const SHOWN = 12;

export interface PresentTag {
  readonly tag: string;
  /** Selected pictures that have it. */
  readonly count: number;
}

/** Tags of the selected pictures that are loaded, the most frequent first. */
export function presentTags(list: LoadedRecords | undefined, ids: Iterable<number>): readonly PresentTag[] {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const position = list?.positionOf(id);
    const record = position === undefined ? undefined : list?.recordAt(position);
    for (const tag of record?.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, SHOWN);
}
