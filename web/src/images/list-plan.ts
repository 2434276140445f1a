import type { PeriodCount } from '@image-catalog/client';

/** Pictures that are requested and laid out together. */
export interface PlannedSegment {
  /** Of its first picture. */
  readonly first: number;
  readonly count: number;
  /** Index. */
  readonly section: number;
}

/** Pictures below one heading. */
export interface Section {
  /** As in 2026-11; `undefined` if the list has no headings. */
  readonly period: string | undefined;
  /** Of its first picture. */
  readonly first: number;
  readonly count: number;
}

/** A day of the timeline, newest first. */
export interface PlannedDay {
  /** As in 2026-11-22. */
  readonly period: string;
  /** Of its first picture. */
  readonly first: number;
  readonly count: number;
  /** The cursor with which a page begins at this day. */
  readonly after: string;
}

/** Where the pictures of a list are, before any of them is loaded. Positions begin with 0. */
export interface ListPlan {
  readonly total: number;
  readonly sections: readonly Section[];
  /** Not all: those of a list without a timeline are added as they are reached. */
  readonly segments: readonly PlannedSegment[];
  readonly days: readonly PlannedDay[];
  /** The most pictures of a segment, and of a response. */
  readonly pageSize: number;
}

/** The layout of so many is one short task. */
export const PAGE_SIZE = 250;

/** Months with their headings. Segments begin at a day if they can, because the timeline has the cursors of days. */
export function planTimeline(counts: readonly PeriodCount[], pageSize: number): ListPlan {
  const days: PlannedDay[] = [];
  let total = 0;
  for (const { period, count, after } of counts) {
    days.push({ period, count, after, first: total });
    total += count;
  }
  const sections: Section[] = [];
  const segments: PlannedSegment[] = [];
  for (const month of monthsOf(days)) {
    const first = month[0]?.first ?? 0;
    const count = month.reduce((sum, day) => sum + day.count, 0);
    segments.push(...segmentsOf(month, sections.length, pageSize));
    sections.push({ period: month[0]?.period.slice(0, 7), first, count });
  }
  return { total, sections, segments, days, pageSize };
}

/** A list whose pages can be reached one after another only. */
export function planSequence(total: number, pageSize: number): ListPlan {
  const sections = total === 0 ? [] : [{ period: undefined, first: 0, count: total }];
  const segments = total === 0 ? [] : [nextInSequence(0, total, pageSize)];
  return { total, sections, segments, days: [], pageSize };
}

/** The segment that begins at this position of a sequence. */
export function nextInSequence(first: number, total: number, pageSize: number): PlannedSegment {
  return { first, count: Math.min(pageSize, total - first), section: 0 };
}

function monthsOf(days: readonly PlannedDay[]): readonly PlannedDay[][] {
  const months: PlannedDay[][] = [];
  let present = '';
  for (const day of days) {
    const month = day.period.slice(0, 7);
    if (month !== present) months.push([]);
    present = month;
    months.at(-1)?.push(day);
  }
  return months;
}

/** Whole days as long as they fit. A day that is too large alone is divided evenly. */
function segmentsOf(
  days: readonly PlannedDay[],
  section: number,
  pageSize: number,
): readonly PlannedSegment[] {
  const segments: PlannedSegment[] = [];
  let open: PlannedSegment | undefined;
  const close = (): void => {
    if (open !== undefined) segments.push(open);
    open = undefined;
  };
  for (const { first, count } of days) {
    if (open !== undefined && open.count + count > pageSize) close();
    if (count > pageSize) segments.push(...chunksOf({ first, count, section }, pageSize));
    else open = { first: open?.first ?? first, count: (open?.count ?? 0) + count, section };
  }
  close();
  return segments;
}

function chunksOf({ first, count, section }: PlannedSegment, pageSize: number): readonly PlannedSegment[] {
  const parts = Math.ceil(count / pageSize);
  return Array.from({ length: parts }, (_, part) => {
    const [begin, end] = [Math.floor((part * count) / parts), Math.floor(((part + 1) * count) / parts)];
    return { first: first + begin, count: end - begin, section };
  });
}
