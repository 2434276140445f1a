import type { ViewState } from '../view-state/view-state.ts';
import { midnightOf } from './zoned-midnight.ts';

/** Whole days as in 2026-11-22, both inclusive; `undefined` is open. */
export interface DateRange {
  readonly from: string | undefined;
  readonly until: string | undefined;
}

export type DateBounds = Pick<ViewState, 'takenAfter' | 'takenBefore'>;

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;

/** @param period as in 2026-11-22, 2026-11 or 2026 */
export function rangeOfPeriod(period: string): DateRange {
  const [year = '', month] = period.split('-');
  if (period.length === 10) return { from: period, until: period };
  if (month === undefined) return { from: `${year}-01-01`, until: `${year}-12-31` };
  const next = month === '12' ? `${Number(year) + 1}-01-01` : `${year}-${twoDigits(Number(month) + 1)}-01`;
  return { from: `${period}-01`, until: dayBeside(next, -1) };
}

/** The day, month or year that the range is exactly. */
export function periodOfRange({ from, until }: DateRange): string | undefined {
  if (from === undefined || until === undefined) return undefined;
  return [from.slice(0, 4), from.slice(0, 7), from].find((period) => {
    const range = rangeOfPeriod(period);
    return range.from === from && range.until === until;
  });
}

/**
 * The range in the time zone of the catalog, in which its months are counted. The offsets of that zone are written
 * into the bounds: everybody who opens the address sees the same pictures, and reads the same dates.
 */
export function boundsOf({ from, until }: DateRange, timeZone: string): DateBounds {
  return {
    // Both bounds are exclusive; the service compares milliseconds.
    takenAfter: from === undefined ? undefined : boundAt(from, -1, timeZone),
    takenBefore: until === undefined ? undefined : boundAt(dayBeside(until, 1), 0, timeZone),
  };
}

/** The days that the bounds name in the offset in which they are written; `undefined` if they are not whole days. */
export function rangeOf({ takenAfter, takenBefore }: DateBounds): DateRange | undefined {
  const from = takenAfter === undefined ? undefined : dayAt(localOf(takenAfter) + 1);
  const end = takenBefore === undefined ? undefined : dayAt(localOf(takenBefore));
  if ((from === undefined) !== (takenAfter === undefined)) return undefined;
  if ((end === undefined) !== (takenBefore === undefined)) return undefined;
  return { from, until: end === undefined ? undefined : dayBeside(end, -1) };
}

/** @param day as in 2026-11-22 */
export function dayBeside(day: string, days: number): string {
  return new Date(Date.parse(day) + days * MS_PER_DAY).toISOString().slice(0, 10);
}

function boundAt(day: string, ms: number, timeZone: string): string {
  const { instant, offset } = midnightOf(day, timeZone);
  // Offsets of the 19th century have seconds, which RFC 3339 cannot write.
  const minutes = Math.round(offset);
  const local = new Date(instant + minutes * MS_PER_MINUTE + ms).toISOString();
  return local.replace(/(\.000)?Z$/, minutes === 0 ? 'Z' : formatOffset(minutes));
}

function formatOffset(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.trunc(size / 60))}:${twoDigits(size % 60)}`;
}

/** The written date and time as if it were UTC. */
function localOf(time: string): number {
  return Date.parse(`${time.replace(/(Z|[+-]\d\d:\d\d)$/, '')}Z`);
}

/** `undefined` if the time is not midnight. */
function dayAt(local: number): string | undefined {
  return local % MS_PER_DAY === 0 ? new Date(local).toISOString().slice(0, 10) : undefined;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
