const MINUTE_MS = 60_000;

/**
 * On the clock of the place where the picture was taken: the offset stays.
 *
 * @param takenAt RFC 3339, with or without an offset
 * @returns `undefined` beyond the years 0001 to 9999
 */
export function shiftedTime(takenAt: string, minutes: number): string | undefined {
  const [, local = '', offset = ''] = /^(.{19}(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?$/.exec(takenAt) ?? [];
  const moved = new Date(Date.parse(`${local}Z`) + minutes * MINUTE_MS);
  const year = Number.isNaN(moved.getTime()) ? 0 : moved.getUTCFullYear();
  return year < 1 || year > 9999 ? undefined : `${moved.toISOString().slice(0, -1)}${offset}`;
}
