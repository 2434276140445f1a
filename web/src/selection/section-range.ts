import type { ImageRecord } from '@image-catalog/client';
import type { ListContents } from '../images/image-list.ts';

/** The part of the list of images that knows what is loaded. */
interface LoadedList {
  readonly contents: Pick<ListContents, 'segments'> | undefined;
  recordAt(position: number): ImageRecord | undefined;
}

export interface SectionRange {
  /** Positions, both inclusive. */
  readonly first: number;
  readonly last: number;
}

/** Where the pictures of a section are now: some may be hidden. `undefined` if it has none. */
export function rangeOf(list: LoadedList | undefined, section: number): SectionRange | undefined {
  const segments = list?.contents?.segments.filter((segment) => segment.section === section) ?? [];
  const count = segments.reduce((sum, segment) => sum + segment.count, 0);
  const first = segments[0]?.first ?? 0;
  return count === 0 ? undefined : { first, last: first + count - 1 };
}

/** The ids of the range; `undefined` for a picture that is not loaded. */
export function idsOf(list: LoadedList, { first, last }: SectionRange): readonly (number | undefined)[] {
  return Array.from({ length: last - first + 1 }, (_, at) => list.recordAt(first + at)?.id);
}

/** How much of a range is selected. What is not loaded counts as not selected. */
export function coverOf(
  list: LoadedList,
  range: SectionRange,
  selected: ReadonlySet<number>,
): 'none' | 'some' | 'all' {
  if (selected.size === 0) return 'none';
  const isSelected = (position: number): boolean => selected.has(list.recordAt(position)?.id ?? 0);
  // Far below the 5,000 that can be selected, most months need one look.
  let position = range.first;
  while (position <= range.last && isSelected(position)) position += 1;
  if (position > range.last) return 'all';
  if (position > range.first) return 'some';
  while (position <= range.last && !isSelected(position)) position += 1;
  return position > range.last ? 'none' : 'some';
}
