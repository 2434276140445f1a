import type { CatalogImage } from '../image/image.ts';
import type { Calendar } from '../image/time/calendar.ts';
import { parseCaptureTime } from '../image/time/parse-capture-time.ts';
import { utc } from '../image/time/utc.ts';

/** The time of a file in an archive, in ms since 1970. */
export interface EntryTime {
  readonly instant: number;
  /** The clock face in the time zone of the catalog, as if it were UTC. */
  readonly local: number;
}

/** What the format can express. */
const EARLIEST = utc(1980, 1, 1);
const LATEST = utc(2108, 1, 1) - 2_000;

/** When the picture was taken, else when it was recorded. */
export function entryTime({ takenAt, createdAt }: CatalogImage, calendar: Calendar): EntryTime {
  const taken = takenAt === null ? undefined : parseCaptureTime(takenAt);
  return timeOf(taken === undefined ? createdAt.getTime() : calendar.instantOf(taken), calendar);
}

export function timeOf(instant: number, calendar: Calendar): EntryTime {
  const local = calendar.localOf(instant);
  const clamped = Math.min(Math.max(local, EARLIEST), LATEST);
  return { instant: instant + clamped - local, local: clamped };
}
