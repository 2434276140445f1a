import { formats } from '../languages/formats.ts';

/** On the clock at the place where the picture was taken, as in `3 May 2026, 14:03`. @param takenAt RFC 3339 */
export function takenMinute(takenAt: string): string {
  return formats().minute(`${takenAt.slice(0, 16)}Z`);
}
