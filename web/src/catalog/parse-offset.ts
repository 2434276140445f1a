/** Contract, section 9: ±14:00 at most. */
const MAX_OFFSET_MINUTES = 14 * 60;

/** @returns as in +02:00; empty if there is none, `undefined` if it is none */
export function parseOffset(text: string): string | undefined {
  const trimmed = text
    .trim()
    .replace(/^(?:UTC|GMT)\s*/i, '')
    .replace('\u2212', '-');
  if (trimmed === '') return text.trim() === '' ? '' : '+00:00';
  if (/^z$/i.test(trimmed)) return '+00:00';
  const [, sign = '+', hours, minutes = '00'] = /^([+-]?)(\d{1,2})(?::?(\d\d))?$/.exec(trimmed) ?? [];
  if (hours === undefined || Number(minutes) > 59) return undefined;
  if (Number(hours) * 60 + Number(minutes) > MAX_OFFSET_MINUTES) return undefined;
  return `${sign === '-' ? '-' : '+'}${hours.padStart(2, '0')}:${minutes}`;
}
