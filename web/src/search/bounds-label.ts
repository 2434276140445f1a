import { rangeLabel } from './date-label.ts';
import { type DateBounds, rangeOf } from './date-range.ts';
import { searchTexts } from './search-texts.ts';

/** Of the bounds in the address, which may be written by hand. */
export function boundsLabel(bounds: DateBounds): string {
  const range = rangeOf(bounds);
  if (range !== undefined) return rangeLabel(range);
  const [after, before] = [bounds.takenAfter, bounds.takenBefore].map((time) => time?.replace('T', ' '));
  if (after === undefined) return searchTexts().before(before ?? '');
  return before === undefined ? searchTexts().after(after) : searchTexts().between(after, before);
}
