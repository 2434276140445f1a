export class MalformedFile extends Error {}

export class UnexpectedEnd extends MalformedFile {}

/** Yields to get the next chunk. */
export type ChunkParser<T> = Generator<void, T, Uint8Array>;

export class ByteCursor {
  private chunk: Uint8Array = new Uint8Array();
  private at = 0;
  /** Bytes in front of the chunk. */
  private before = 0;

  /** In the file. */
  get position(): number {
    return this.before + this.at;
  }

  *byte(): ChunkParser<number> {
    while (this.at >= this.chunk.length) yield* this.nextChunk();
    return this.chunk[this.at++] as number;
  }

  *uint16(): ChunkParser<number> {
    return (yield* this.byte()) * 0x100 + (yield* this.byte());
  }

  *uint32(): ChunkParser<number> {
    return (yield* this.uint16()) * 0x1_0000 + (yield* this.uint16());
  }

  *uint16LittleEndian(): ChunkParser<number> {
    return (yield* this.byte()) + (yield* this.byte()) * 0x100;
  }

  *uint24LittleEndian(): ChunkParser<number> {
    return (yield* this.uint16LittleEndian()) + (yield* this.byte()) * 0x1_0000;
  }

  *uint32LittleEndian(): ChunkParser<number> {
    return (yield* this.uint24LittleEndian()) + (yield* this.byte()) * 0x100_0000;
  }

  /** Shares the memory of the chunk if all of it is there. */
  *take(length: number): ChunkParser<Uint8Array> {
    const there = this.takeAvailable(length);
    if (there.length === length) return there;
    const bytes = new Uint8Array(length);
    bytes.set(there);
    for (let filled = there.length; filled < length; ) {
      yield* this.nextChunk();
      const more = this.takeAvailable(length - filled);
      bytes.set(more, filled);
      filled += more.length;
    }
    return bytes;
  }

  *skip(length: number): ChunkParser<void> {
    let left = length;
    while (left > this.chunk.length - this.at) {
      left -= this.chunk.length - this.at;
      yield* this.nextChunk();
    }
    this.at += left;
  }

  /**
   * Finds the next byte after 0xff for which `isData` is false. One loop without calls: a hostile file may consist of such pairs
   * only.
   */
  *codeBehindFf(isData: (code: number) => boolean): ChunkParser<number> {
    for (let isBehindFf = false; ; yield* this.nextChunk()) {
      const { chunk } = this;
      for (let at = this.at; ; ) {
        if (!isBehindFf) {
          if (chunk[at] !== 0xff) at = chunk.indexOf(0xff, at);
          if (at === -1) break;
          isBehindFf = true;
        }
        while (chunk[at] === 0xff) at += 1;
        const code = chunk[at];
        if (code === undefined) break;
        at += 1;
        isBehindFf = false;
        if (isData(code)) continue;
        this.at = at;
        return code;
      }
    }
  }

  /** Each has its length in front; an empty one ends them. One loop without calls: a hostile file may have millions. */
  *skipSubBlocks(): ChunkParser<void> {
    for (let at = this.at; ; yield* this.nextChunk()) {
      const { chunk } = this;
      while (at < chunk.length) {
        const length = chunk[at] as number;
        at += length + 1;
        if (length > 0) continue;
        this.at = at;
        return;
      }
      at -= chunk.length;
    }
  }

  private takeAvailable(length: number): Uint8Array {
    const bytes = this.chunk.subarray(this.at, this.at + length);
    this.at += bytes.length;
    return bytes;
  }

  private *nextChunk(): ChunkParser<void> {
    this.before += this.chunk.length;
    this.chunk = yield;
    this.at = 0;
  }
}

/**
 * Reads no further than the parser needs.
 *
 * @throws {UnexpectedEnd}
 */
export async function parseChunks<T>(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  parser: ChunkParser<T>,
): Promise<T> {
  let step = parser.next();
  if (step.done) return step.value;
  for await (const chunk of chunks) {
    step = parser.next(chunk);
    if (step.done) return step.value;
  }
  throw new UnexpectedEnd('The file ends within its structure');
}
