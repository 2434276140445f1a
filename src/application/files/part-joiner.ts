import type { CleanPart } from '../../domain/image/clean-parts.ts';

/** Makes the bytes of a clean file from those of the original, chunk by chunk. */
export class PartJoiner {
  private index = 0;

  /** @param position of the first chunk in the original */
  constructor(
    private readonly parts: readonly CleanPart[],
    private position: number,
  ) {}

  /** One piece for a chunk, which may have thousands of parts. Empty if it has none. */
  take(chunk: Uint8Array): Uint8Array {
    const [start, end] = [this.position, this.position + chunk.length];
    const pieces: Uint8Array[] = [];
    for (; this.index < this.parts.length; this.index += 1) {
      const part = this.parts[this.index] as CleanPart;
      if (typeof part === 'string') pieces.push(Uint8Array.from(part, (byte) => byte.charCodeAt(0)));
      else if (part[0] >= end) break;
      else pieces.push(chunk.subarray(Math.max(0, part[0] - start), part[1] - start));
      // The rest of it is in the next chunk.
      if (typeof part !== 'string' && part[1] > end) break;
    }
    this.position = end;
    return concatenated(pieces);
  }
}

function concatenated(pieces: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array()] = pieces;
  if (pieces.length <= 1) return first;
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
