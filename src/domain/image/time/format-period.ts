import { DAYS_OF_PERIOD, type Period } from './calendar.ts';

/** Writes 2026-11-22, 2026-11 or 2026. */
export function formatPeriod(period: Period, number: number): string {
  const digits = String(number * DAYS_OF_PERIOD[period]).padStart(8, '0');
  const year = digits.slice(0, -4);
  if (period === 'year') return year;
  const month = `${year}-${digits.slice(-4, -2)}`;
  return period === 'month' ? month : `${month}-${digits.slice(-2)}`;
}
