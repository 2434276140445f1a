/** Midnight in ms since 1970; the year may have any number of digits. */
export function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
