/** RFC 3339, section 5.6, with an offset. */
const TIME =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * The time as the service takes it, in one spelling; its fraction is cut to milliseconds. `undefined` if the text is none.
 */
export function validTime(text: string | null): string | undefined {
  // A "+" that was not percent-encoded arrives as a space.
  const match = TIME.exec((text ?? '').toUpperCase().replace(/ (?=\d\d:\d\d$)/, '+'));
  if (match === null) return undefined;
  const [, date = '', hour = '', minute = '', second = '', fraction = '', offset = ''] = match;
  if (!isDate(date)) return undefined;
  const ms = fraction.slice(0, 3).padEnd(3, '0');
  return `${date}T${hour}:${minute}:${second}${ms === '000' ? '' : `.${ms}`}${offset}`;
}

/** `Date` takes February 31st for March 3rd. */
function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
