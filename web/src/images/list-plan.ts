import type { PeriodCount } from '@image-catalog/client';

/** Pictures that are requested and laid out together. */
export interface PlannedSegment {
  /** Of its first picture. */
  readonly first: number;
  readonly count: number;
  /** Index. */
  readonly section: number;
}

/** The section of pictures without a capture time. */
export const UNDATED = 'undated';

/** Pictures below one heading. */
export interface Section {
  /** As in 2026-11, or `UNDATED`; `undefined` if the list has no headings. */
  readonly period: string | undefined;
  /** Of its first picture. */
  readonly first: number;
  readonly count: number;
}

/** A month or a day of the timeline, newest first. */
export interface PlannedPeriod {
  /** As in 2026-11 or 2026-11-22, or `UNDATED`. */
  readonly period: string;
  /** Of its first picture. */
  readonly first: number;
  readonly count: number;
  /** The cursor with which a page begins at it. */
  readonly after: string;
}

/** Where the pictures of a list are, before any of them is loaded. Positions begin with 0. */
export interface ListPlan {
  readonly total: number;
  /** The service has not counted them: there may be more or fewer, which shows when the last ones are loaded. */
  readonly isOpen: boolean;
  readonly sections: readonly Section[];
  /** Not all: those of a list without a timeline are added as they are reached. */
  readonly segments: readonly PlannedSegment[];
  /** None of a list without a timeline. */
  readonly months: readonly PlannedPeriod[];
  /** The most pictures of a segment, and of a response. */
  readonly pageSize: number;
}

/** The layout of so many is one short task. */
export const PAGE_SIZE = 250;

/** Months with their headings. */
export function planTimeline(counts: readonly PeriodCount[], pageSize: number): ListPlan {
  const months = placePeriods(counts);
  const total = months.reduce((sum, { count }) => sum + count, 0);
  const segments = months.flatMap((month, section) => segmentsOf(month, section, pageSize));
  return { total, isOpen: false, sections: months, segments, months, pageSize };
}

export function placePeriods(counts: readonly PeriodCount[]): readonly PlannedPeriod[] {
  let end = 0;
  return counts.map(({ period, count, after }) => {
    end += count;
    return { period, count, after, first: end - count };
  });
}

/**
 * A list whose pages can be reached one after another only.
 *
 * @param counted `undefined` if the service has not counted the pictures
 */
export function planSequence(counted: number | undefined, pageSize: number): ListPlan {
  const total = counted ?? pageSize;
  const sections = total === 0 ? [] : [{ period: undefined, first: 0, count: total }];
  const segments = total === 0 ? [] : [nextInSequence(0, total, pageSize)];
  return { total, isOpen: counted === undefined, sections, segments, months: [], pageSize };
}

/** The segment that begins at this position of a sequence. */
export function nextInSequence(first: number, total: number, pageSize: number): PlannedSegment {
  return { first, count: Math.min(pageSize, total - first), section: 0 };
}

/** A month that is too large is divided evenly. */
function segmentsOf(
  { first, count }: PlannedPeriod,
  section: number,
  pageSize: number,
): readonly PlannedSegment[] {
  const parts = Math.ceil(count / pageSize);
  return Array.from({ length: parts }, (_, part) => {
    const [begin, end] = [Math.floor((part * count) / parts), Math.floor(((part + 1) * count) / parts)];
    return { first: first + begin, count: end - begin, section };
  });
}
