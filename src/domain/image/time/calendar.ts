import type { CaptureTime } from './capture-time.ts';
import { utc } from './utc.ts';

const MS_PER_DAY = 86_400_000;
const MS_PER_MINUTE = 60_000;

/** Some decades of days. */
const MAX_KNOWN_DAYS = 20_000;

/** A date as the number YYYYMMDD. */
export type Day = number;

export type Period = 'day' | 'month' | 'year';

/** What a `Day` is divided by to get the number of its period. */
export const DAYS_OF_PERIOD: Readonly<Record<Period, number>> = { day: 1, month: 100, year: 10_000 };

/**
 * Days in the time zone of the catalog. Each begins at one instant, so that a later instant never has an earlier day, not even
 * if clocks are set back at midnight.
 */
export class Calendar {
  /** `undefined` for UTC: the first formatter of a process takes 10 ms. */
  private readonly formatter: Intl.DateTimeFormat | undefined;
  /** The first instants of days, by the number of days since 1970. */
  private readonly beginnings = new Map<number, number>();
  private readonly offsets = new Map<number, number>();

  /**
   * @param timeZone IANA name
   * @throws {RangeError} if the name is unknown
   */
  constructor(readonly timeZone: string) {
    if (timeZone === 'UTC') return;
    this.formatter = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /** Ms since 1970. A time without an offset is one of this zone: in a gap with the offset before it, of two the earlier. */
  instantOf({ local, offset }: CaptureTime): number {
    return offset === undefined ? this.resolve(local) : local - offset * MS_PER_MINUTE;
  }

  /** The clock face in this zone at an instant, as if it were UTC. */
  localOf(instant: number): number {
    return instant + this.offsetAt(instant);
  }

  dayOf(instant: number): Day {
    let number = Math.floor((instant + this.offsetAround(instant)) / MS_PER_DAY);
    while (instant < this.beginningOf(number)) number -= 1;
    while (instant >= this.beginningOf(number + 1)) number += 1;
    return dayFrom(number);
  }

  /** The first instant behind a period, whose number is that of a day without its last digits. */
  endOf(period: Period, number: number): number {
    const day = number * DAYS_OF_PERIOD[period];
    const [year, month, date] = [Math.floor(day / 10_000), Math.floor(day / 100) % 100, day % 100];
    return this.beginningOf(nextDate(period, year, month, date) / MS_PER_DAY);
  }

  private beginningOf(dayNumber: number): number {
    const known = this.beginnings.get(dayNumber);
    if (known !== undefined) return known;
    if (this.beginnings.size >= MAX_KNOWN_DAYS) this.beginnings.clear();
    const beginning = this.resolve(dayNumber * MS_PER_DAY);
    this.beginnings.set(dayNumber, beginning);
    return beginning;
  }

  private resolve(local: number): number {
    const before = this.offsetAt(local - MS_PER_DAY);
    const behind = this.offsetAt(local + MS_PER_DAY);
    if (before === behind) return local - before;
    const instants = [local - before, local - behind].filter(
      (instant) => instant + this.offsetAt(instant) === local,
    );
    return instants.length === 0 ? local - before : Math.min(...instants);
  }

  /** As good as `offsetAt` for finding a day, and free if that day is known. */
  private offsetAround(instant: number): number {
    const number = Math.floor(instant / MS_PER_DAY);
    const beginning = this.beginnings.get(number);
    return beginning === undefined ? this.offsetAt(instant) : number * MS_PER_DAY - beginning;
  }

  /** Ms east of UTC. Those at the midnights of UTC are kept: the beginning of each day asks for two of them. */
  private offsetAt(instant: number): number {
    if (this.formatter === undefined) return 0;
    const known = this.offsets.get(instant);
    if (known !== undefined) return known;
    const offset = offsetIn(this.formatter.format(instant));
    if (instant % MS_PER_DAY !== 0) return offset;
    if (this.offsets.size >= MAX_KNOWN_DAYS) this.offsets.clear();
    this.offsets.set(instant, offset);
    return offset;
  }
}

/** Such as `GMT+02:00`; `GMT` alone for none. Times before 1970 may have seconds. */
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/;

/** Ms. */
function offsetIn(formatted: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(formatted) ?? [];
  const total = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === '-' ? -total : total) * 1000;
}

function nextDate(period: Period, year: number, month: number, date: number): number {
  if (period === 'year') return utc(year + 1, 1, 1);
  return period === 'month' ? utc(year, month + 1, 1) : utc(year, month, date + 1);
}

function dayFrom(number: number): Day {
  const date = new Date(number * MS_PER_DAY);
  return (date.getUTCFullYear() * 100 + date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}
