import { parseOffset } from './parse-offset.ts';

/** What is in the fields of a form. */
export interface TakenFields {
  /** Of `<input type="datetime-local">`: 2026-05-03T14:03:22, on the clock at the place where the picture was taken. */
  readonly local: string;
  /** As in +02:00, Z or 2; empty if it is unknown. */
  readonly offset: string;
}

export type TakenProblem = 'time' | 'offset';

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

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
