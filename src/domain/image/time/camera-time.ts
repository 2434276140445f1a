import { formatCaptureTime } from './capture-time.ts';
import { parseCaptureTime } from './parse-capture-time.ts';

/** The times that a camera wrote, as they are. */
export interface CameraTimes {
  /** `2026:01:31 12:00:00` */
  readonly original?: string | undefined;
  /** Digits of the second's fraction. */
  readonly originalFraction?: string | undefined;
  readonly digitized?: string | undefined;
  readonly digitizedFraction?: string | undefined;
  /** `+02:00` */
  readonly originalOffset?: string | undefined;
  readonly digitizedOffset?: string | undefined;
  /** The date of the satellites, in UTC: `2026:01:31`. */
  readonly gpsDate?: string | undefined;
  /** Hours, minutes, seconds. */
  readonly gpsTime?: readonly number[] | undefined;
}

const MINUTE_MS = 60_000;
const QUARTER_MINUTES = 15;

/** GPS time and camera clock may differ by so much. */
const GPS_TOLERANCE_MINUTES = 5;

const MAX_OFFSET_MINUTES = 14 * 60;

/** RFC 3339 with milliseconds; without an offset if it is unknown. `undefined` without a possible time. */
export function cameraTime(times: CameraTimes): string | undefined {
  const local =
    localTime(times.original, times.originalFraction) ?? localTime(times.digitized, times.digitizedFraction);
  if (local === undefined) return undefined;
  const offset =
    offsetMinutes(times.originalOffset) ?? offsetMinutes(times.digitizedOffset) ?? gpsOffset(local, times);
  const text = formatCaptureTime({ local, offset });
  // The offset may move a time out of the years that the catalog knows.
  return parseCaptureTime(text) === undefined ? undefined : text;
}

/** Some programs write hyphens into dates. */
const EXIF_TIME = /^(\d{4})[:-](\d{2})[:-](\d{2}) (\d{2}):(\d{2}):(\d{2})\s*$/;
const FRACTION = /^(\d+)\s*$/;
const EXIF_DATE = /^(\d{4})[:-](\d{2})[:-](\d{2})\s*$/;
const OFFSET = /^([+-])(\d{2}):([0-5]\d)\s*$/;

/** Milliseconds since 1970 as if the time were UTC; `undefined` if there is no such time. */
function localTime(text: string | undefined, fraction: string | undefined): number | undefined {
  const [, year, month, day, hour, minute, second] = EXIF_TIME.exec(text ?? '') ?? [];
  if (year === undefined) return undefined;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fractionDigits(fraction)}`;
  return parseCaptureTime(written)?.local;
}

function fractionDigits(fraction: string | undefined): string {
  return FRACTION.exec(fraction ?? '')?.[1] ?? '0';
}

function offsetMinutes(text: string | undefined): number | undefined {
  const [, sign, hours, minutes] = OFFSET.exec(text ?? '') ?? [];
  if (sign === undefined) return undefined;
  const total = Number(hours) * 60 + Number(minutes);
  if (total > MAX_OFFSET_MINUTES) return undefined;
  return sign === '-' ? -total : total;
}

/** The difference to the time of the satellites, if it is near a quarter of an hour. */
function gpsOffset(local: number, { gpsDate, gpsTime }: CameraTimes): number | undefined {
  const utc = gpsTimeOf(gpsDate, gpsTime);
  if (utc === undefined) return undefined;
  const minutes = (local - utc) / MINUTE_MS;
  const offset = Math.round(minutes / QUARTER_MINUTES) * QUARTER_MINUTES;
  if (Math.abs(offset) > MAX_OFFSET_MINUTES || Math.abs(minutes - offset) > GPS_TOLERANCE_MINUTES) {
    return undefined;
  }
  return offset;
}

function gpsTimeOf(date: string | undefined, time: readonly number[] | undefined): number | undefined {
  if (!EXIF_DATE.test(date ?? '')) return undefined;
  const midnight = localTime(`${date?.trimEnd()} 00:00:00`, undefined);
  const [hours = Number.NaN, minutes = Number.NaN, seconds = Number.NaN] = time ?? [];
  if (midnight === undefined || !(hours < 24 && minutes < 60 && seconds < 60)) return undefined;
  return midnight + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
}
