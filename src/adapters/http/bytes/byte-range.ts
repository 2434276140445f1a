import type { ByteRange } from '../../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../../domain/ports/bytes/readable-bytes.ts';

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

export function sliceBlob(blob: OpenedBlob, range: ByteRange): OpenedBlob {
  return {
    ...blob,
    buffered: blob.buffered?.subarray(range.start, range.end + 1),
    read: () => sliceStream(blob.read(), range),
  };
}

async function* sliceStream(
  bytes: AsyncIterable<Uint8Array>,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  let position = 0;
  for await (const chunk of bytes) {
    const from = Math.max(start - position, 0);
    const to = Math.min(end + 1 - position, chunk.length);
    if (from < to) yield chunk.subarray(from, to);
    position += chunk.length;
    if (position > end) return;
  }
}
