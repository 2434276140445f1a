/** As in `-P1DT2H30M`: ISO 8601 with a sign. */
export function shiftDuration(minutes: number): string {
  const total = Math.abs(minutes);
  const [days, hours, rest] = [Math.floor(total / 1440), Math.floor(total / 60) % 24, total % 60];
  const time = `${hours > 0 ? `${hours}H` : ''}${rest > 0 ? `${rest}M` : ''}`;
  return `${minutes < 0 ? '-' : '+'}P${days > 0 ? `${days}D` : ''}${time === '' ? '' : `T${time}`}`;
}
