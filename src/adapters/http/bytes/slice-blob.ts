import type { ByteRange, OpenedBlob } from '../../../domain/ports/blob-store.ts';

/** A part of a blob that is opened as a whole. */
export function sliceBlob(blob: OpenedBlob, range: ByteRange): OpenedBlob {
  const { bytes } = blob;
  if (bytes instanceof Uint8Array) return { ...blob, bytes: bytes.subarray(range.start, range.end + 1) };
  return { ...blob, bytes: sliceStream(bytes, range) };
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
