/** How a camera's clock was wrong, as it is in the form. */
export interface ClockError {
  readonly direction: 'behind' | 'ahead';
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
}

/** Contract, section 17. */
export const MAX_DAYS = 36_500;

const DAY_MINUTES = 24 * 60;

export const NO_CLOCK_ERROR: ClockError = { direction: 'behind', days: 0, hours: 0, minutes: 0 };

/** By which times are moved, in minutes; `undefined` if it is none, or more than the service takes. */
export function shiftMinutes({ direction, days, hours, minutes }: ClockError): number | undefined {
  const parts = [days, hours, minutes];
  if (parts.some((part) => !Number.isInteger(part) || part < 0)) return undefined;
  const total = days * DAY_MINUTES + hours * 60 + minutes;
  if (total === 0 || total > MAX_DAYS * DAY_MINUTES) return undefined;
  return direction === 'behind' ? total : -total;
}
