import type { ImageRecord } from '@image-catalog/client';
import { shiftedTime } from '../edits/shifted-time.ts';
import type { ShiftPreview } from './edit-form.ts';
import { type ClockError, shiftMinutes } from './time-shift.ts';

/** The first and the last picture by their time, as far as they are loaded. */
export function previewOf(records: readonly ImageRecord[], clock: ClockError): readonly ShiftPreview[] {
  const minutes = shiftMinutes(clock);
  const times = records.map(({ takenAt }) => takenAt).filter((time) => time !== null);
  const sorted = times.toSorted((a, b) => localTime(a) - localTime(b));
  const ends = [...new Set([sorted[0], sorted.at(-1)])].filter((time) => time !== undefined);
  if (minutes === undefined) return [];
  return ends.map((from) => ({ from, to: shiftedTime(from, minutes) }));
}

/** As the camera showed it. */
function localTime(takenAt: string): number {
  return Date.parse(`${takenAt.slice(0, 19)}Z`);
}
