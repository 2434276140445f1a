import { texts } from '../texts.ts';
import { type DateBounds, type DateRange, periodOfRange, rangeOf, rangeOfPeriod } from './date-range.ts';

/** Dates are written as UTC, so that the browser's time zone does not move them. */
const FORMATS = {
  4: new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', year: 'numeric' }),
  7: new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', year: 'numeric', month: 'long' }),
  10: new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' }),
} as const;

/** @param period as in 2026-11-22, 2026-11 or 2026 */
export function periodLabel(period: string): string {
  const { [period.length as keyof typeof FORMATS]: format } = FORMATS;
  return format.format(Date.parse(period));
}

export function rangeLabel(range: DateRange): string {
  const { from, until } = range;
  const period = periodOfRange(range);
  if (period !== undefined) return periodLabel(period);
  if (from === undefined)
    return until === undefined ? '' : texts.search.until(periodLabel(shortest(until, 'until')));
  if (until === undefined) return texts.search.since(periodLabel(shortest(from, 'from')));
  // Two months, or two years, or else two days.
  const [first, last] = [shortest(from, 'from'), shortest(until, 'until')];
  const length = Math.max(first.length, last.length);
  return texts.search.between(periodLabel(from.slice(0, length)), periodLabel(until.slice(0, length)));
}

/** Of the bounds in the address, which may be written by hand. */
export function boundsLabel(bounds: DateBounds): string {
  const range = rangeOf(bounds);
  if (range !== undefined) return rangeLabel(range);
  const [after, before] = [bounds.takenAfter, bounds.takenBefore].map((time) => time?.replace('T', ' '));
  if (after === undefined) return texts.search.before(before ?? '');
  return before === undefined ? texts.search.after(after) : texts.search.between(after, before);
}

/** The longest period that begins, or ends, with the day. */
function shortest(day: string, side: keyof DateRange): string {
  const periods = [day.slice(0, 4), day.slice(0, 7), day];
  return periods.find((period) => rangeOfPeriod(period)[side] === day) ?? day;
}
