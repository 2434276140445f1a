import type { ByteRange } from '../../../domain/ports/bytes/blob-store.ts';

const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/** RFC 9110, section 14.1.2. `undefined` for a header to ignore: none, ill-formed, or several ranges. */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = ONE_RANGE.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  // A suffix: the last bytes, or all bytes if there are fewer.
  if (first === '') return within({ start: Math.max(0, size - Number(last)), end: size - 1 }, size);
  if (last === '') return within({ start: Number(first), end: size - 1 }, size);
  if (Number(last) < Number(first)) return undefined;
  return within({ start: Number(first), end: Math.min(Number(last), size - 1) }, size);
}

function within(range: ByteRange, size: number): ByteRange | 'unsatisfiable' {
  return range.start < size ? range : 'unsatisfiable';
}
