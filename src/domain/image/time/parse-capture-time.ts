import type { CaptureTime } from './capture-time.ts';
import { utc } from './utc.ts';

const MS_PER_MINUTE = 60_000;

/** Minutes. */
const MAX_OFFSET = 14 * 60;

/** RFC 3339, section 5.6; the offset may be missing. */
const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:(Z)|([+-])(\d\d):(\d\d))?$/;

const EARLIEST = utc(1, 1, 1);
const END = utc(10_000, 1, 1);

/** `undefined` if the text is no time of the years 0001 to 9999, there and in UTC. Cuts a fraction to ms. */
export function parseCaptureTime(text: string): CaptureTime | undefined {
  const match = TIME.exec(text.toUpperCase());
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const clock =
    ((hour * 60 + minute) * 60 + second) * 1000 + Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  if (hour > 23 || minute > 59 || second > 59 || !isDate(year, month, day)) return undefined;
  const offset = offsetOf(match);
  const time = { local: utc(year, month, day) + clock, offset };
  return isInRange(time.local) && isInRange(time.local - (offset ?? 0) * MS_PER_MINUTE) ? time : undefined;
}

function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(utc(year, month, day));
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Out of range if it is more than 14 hours. */
function offsetOf([, , , , , , , , zulu, sign, hours, minutes]: RegExpExecArray): number | undefined {
  if (zulu !== undefined) return 0;
  if (sign === undefined) return undefined;
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > MAX_OFFSET || Number(minutes) > 59) return Number.NaN;
  return sign === '-' && offset > 0 ? -offset : offset;
}

function isInRange(time: number): boolean {
  return time >= EARLIEST && time < END;
}
