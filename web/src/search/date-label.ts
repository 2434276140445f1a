import { formats } from '../languages/formats.ts';
import { type DateRange, periodOfRange, rangeOfPeriod } from './date-range.ts';
import { searchTexts } from './search-texts.ts';

export function rangeLabel(range: DateRange): string {
  const { from, until } = range;
  const { period } = formats();
  const whole = periodOfRange(range);
  if (whole !== undefined) return period(whole);
  if (from === undefined) {
    return until === undefined ? '' : searchTexts().until(period(shortest(until, 'until')));
  }
  if (until === undefined) return searchTexts().since(period(shortest(from, 'from')));
  // Two months, or two years, or else two days.
  const [first, last] = [shortest(from, 'from'), shortest(until, 'until')];
  const length = Math.max(first.length, last.length);
  return searchTexts().between(period(from.slice(0, length)), period(until.slice(0, length)));
}

/** The longest period that begins, or ends, with the day. */
function shortest(day: string, side: keyof DateRange): string {
  const periods = [day.slice(0, 4), day.slice(0, 7), day];
  return periods.find((period) => rangeOfPeriod(period)[side] === day) ?? day;
}
