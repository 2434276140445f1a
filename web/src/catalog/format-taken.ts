import { formats } from '../languages/formats.ts';
import { takenFieldsOf } from './taken-time.ts';

/** On the clock at the place where the picture was taken, as in `3 May 2026, 14:03:22 UTC+2`. */
export function formatTaken(takenAt: string): string {
  const { local, offset } = takenFieldsOf(takenAt);
  const time = formats().time(`${local}Z`);
  return offset === '' ? time : `${time} ${formatOffset(offset)}`;
}

function formatOffset(offset: string): string {
  const [, sign = '', hours = '', minutes = ''] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  if (offset.endsWith('00:00')) return 'UTC';
  return `UTC${sign === '-' ? '\u2212' : '+'}${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
}
