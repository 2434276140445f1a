import { texts } from '../languages/texts.ts';

/** What is in the fields of a form. */
export interface TakenFields {
  /** Of `<input type="datetime-local">`: 2026-05-03T14:03:22, on the clock at the place where the picture was taken. */
  readonly local: string;
  /** As in +02:00, Z or 2; empty if it is unknown. */
  readonly offset: string;
}

export type TakenProblem = 'time' | 'offset';

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** Contract, section 9: ±14:00 at most. */
const MAX_OFFSET_MINUTES = 14 * 60;

export function takenFieldsOf(takenAt: string | null): TakenFields {
  const [, local = '', , offset = ''] = RFC_3339.exec(takenAt ?? '') ?? [];
  return { local, offset: offset === 'Z' ? '+00:00' : offset };
}

/**
 * @param before keeps its fraction of a second, which a form does not show
 * @returns RFC 3339, or the field that is ill-formed
 */
export function takenAtOf(
  { local, offset }: TakenFields,
  before: string | null,
): { readonly takenAt: string } | { readonly problem: TakenProblem } {
  const [, minutes, seconds = ':00'] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(?:\.\d+)?$/.exec(local) ?? [];
  if (minutes === undefined || local.startsWith('0000')) return { problem: 'time' };
  const zone = parseOffset(offset);
  if (zone === undefined) return { problem: 'offset' };
  const time = `${minutes}${seconds}`;
  const [, timeBefore, fraction = ''] = RFC_3339.exec(before ?? '') ?? [];
  return { takenAt: `${time}${time === timeBefore ? fraction : ''}${zone}` };
}

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

/** On the clock at the place where the picture was taken, as in `3 May 2026, 14:03:22 UTC+2`. */
export function formatTaken(takenAt: string): string {
  const { local, offset } = takenFieldsOf(takenAt);
  const time = texts.formats.time(`${local}Z`);
  return offset === '' ? time : `${time} ${formatOffset(offset)}`;
}

function formatOffset(offset: string): string {
  const [, sign = '', hours = '', minutes = ''] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  if (offset.endsWith('00:00')) return 'UTC';
  return `UTC${sign === '-' ? '\u2212' : '+'}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
}
