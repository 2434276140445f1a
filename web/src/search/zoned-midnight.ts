const MS_PER_DAY = 86_400_000;
const MS_PER_MINUTE = 60_000;

/** The instant at which a day begins in a time zone. */
export interface Midnight {
  /** Ms since 1970. */
  readonly instant: number;
  /** Minutes east of UTC for which the clock shows 00:00 at this instant. */
  readonly offset: number;
}

/**
 * As the service does it: if clocks skip midnight, the day begins when they are set; if they show it twice, at the first.
 *
 * @param day as in 2026-11-22
 * @param timeZone IANA name
 */
export function midnightOf(day: string, timeZone: string): Midnight {
  const local = Date.parse(`${day}T00:00:00Z`);
  const before = offsetAt(local - MS_PER_DAY, timeZone);
  const behind = offsetAt(local + MS_PER_DAY, timeZone);
  const instants = [local - before, local - behind].filter(
    (instant) => instant + offsetAt(instant, timeZone) === local,
  );
  const instant = instants.length === 0 ? local - before : Math.min(...instants);
  return { instant, offset: (local - instant) / MS_PER_MINUTE };
}

/** As in 2026-11-22. */
export function dayIn(timeZone: string, instant: number): string {
  return new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 10);
}

/** Ms east of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const second = Math.floor(instant / 1000) * 1000;
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(second)
      .map(({ type, value }) => [type, value]),
  );
  const [year, month, day, hour, minute, seconds] = UNITS.map((unit) =>
    (parts.get(unit) ?? '').padStart(2, '0'),
  );
  return Date.parse(`${year?.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${seconds}Z`) - second;
}

const UNITS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(timeZone, formatter);
  return formatter;
}
