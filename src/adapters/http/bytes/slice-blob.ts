import type { ByteRange } from '../../../domain/ports/blob-store.ts';
import type { OpenedBlob } from '../../../domain/ports/readable-bytes.ts';

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
