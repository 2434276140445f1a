/** A time as a camera or a person writes it. */
export interface CaptureTime {
  /** The written date and time as if it were UTC: ms since 1970. */
  readonly local: number;
  /** Minutes east of UTC; `undefined` if unknown. */
  readonly offset: number | undefined;
}

/** Writes three digits of the fraction, and `Z` if the offset is 0. */
export function formatCaptureTime({ local, offset }: CaptureTime): string {
  const text = new Date(local).toISOString().slice(0, -1);
  if (offset === undefined) return text;
  return offset === 0 ? `${text}Z` : text + formatOffset(offset);
}

function formatOffset(offset: number): string {
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${offset < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
