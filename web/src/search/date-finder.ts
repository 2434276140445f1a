import { boundsOf, type DateBounds } from './date-range.ts';
import { type DateSuggestion, type MonthCount, suggestDates } from './date-suggestions.ts';
import { dayIn } from './zoned-midnight.ts';

export interface FoundDate extends DateSuggestion {
  readonly bounds: DateBounds;
}

/** What texts mean as dates, in the time zone of the catalog. */
export class DateFinder {
  readonly #timeZone: string;
  readonly #months: readonly MonthCount[] | undefined;
  readonly #now: () => number;

  /**
   * @param timeZone IANA name
   * @param months newest first; `undefined` if they could not be counted
   */
  constructor(timeZone: string, months: readonly MonthCount[] | undefined, now: () => number = Date.now) {
    this.#timeZone = timeZone;
    this.#months = months;
    this.#now = now;
  }

  suggest(text: string): readonly FoundDate[] {
    const known = { today: dayIn(this.#timeZone, this.#now()), months: this.#months };
    return suggestDates(text, known).map((found) => this.#withBounds(found));
  }

  /** The last months with pictures. */
  recent(count: number): readonly FoundDate[] {
    return (this.#months ?? []).slice(0, count).flatMap(({ period }) => this.suggest(period));
  }

  #withBounds(found: DateSuggestion): FoundDate {
    return { ...found, bounds: boundsOf(found.range, this.#timeZone) };
  }
}
