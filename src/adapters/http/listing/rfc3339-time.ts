// RFC 3339, section 5.6. Letters may be lower-case. A "+" that was not percent-encoded has become a space on its way.
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+\- ])(\d\d):(\d\d))$/;

/** A moment, as exactly as the catalog needs it. */
export interface Rfc3339Time {
  /** Milliseconds since 1970-01-01T00:00:00Z, rounded down. */
  readonly floorMs: number;
  /** The same, rounded up. */
  readonly ceilMs: number;
}

/** Parses an RFC 3339 date-time; `undefined` where the text is none, or names a day or an hour that does not exist. */
export function parseRfc3339(text: string): Rfc3339Time | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second,
    fraction = '',
    sign,
    offsetHour = '0',
    offsetMinute = '0',
  ] = match;
  // A leap second is the first moment of the next minute, as in POSIX time.
  const parts = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (!exists(...parts) || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000 * (sign === '-' ? -1 : 1);
  const floorMs = utc(...parts) + Number(fraction.slice(0, 3).padEnd(3, '0')) - offsetMs;
  return { floorMs, ceilMs: floorMs + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0) };
}

function exists(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): boolean {
  if (hour > 23 || minute > 59 || second > 60 || month < 1 || month > 12 || day < 1) return false;
  return new Date(utc(year, month, day, 0, 0, 0)).getUTCMonth() === month - 1;
}

/** `Date.UTC` without its rule that years 0 to 99 are in the 20th century. */
function utc(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second, 0);
}
