import { type Frame, type FramePrefix, PREFIX_BYTES, prefixOf } from '../../decoder/protocol.ts';

/** Assembles the frames of a stream of bytes. */
export class FrameReader {
  private readonly lengths: Iterator<number, never, Buffer>;
  private part: Buffer;
  private filled = 0;

  /** @param limits checked at the beginning of each frame, before memory is allocated */
  constructor(limits: () => FramePrefix, onFrame: (frame: Frame) => void) {
    this.lengths = lengthsOfParts(limits, onFrame);
    this.part = Buffer.alloc(this.lengths.next().value);
  }

  /** @throws {RangeError | SyntaxError} */
  push(chunk: Uint8Array): void {
    let rest = chunk;
    do {
      const taken = rest.subarray(0, this.part.length - this.filled);
      this.part.set(taken, this.filled);
      this.filled += taken.length;
      rest = rest.subarray(taken.length);
      if (this.filled < this.part.length) return;
      // In memory of its own: a large body must not keep a pool alive, nor the other way round.
      this.part = Buffer.allocUnsafeSlow(this.lengths.next(this.part).value);
      this.filled = 0;
    } while (rest.length > 0 || this.part.length === 0);
  }
}

/** Yields the length of each part of a frame, and gets the part. */
function* lengthsOfParts(
  limits: () => FramePrefix,
  onFrame: (frame: Frame) => void,
): Generator<number, never, Buffer> {
  for (;;) {
    const { messageBytes, bodyBytes } = prefixOf(yield PREFIX_BYTES);
    const limit = limits();
    if (messageBytes > limit.messageBytes || bodyBytes > limit.bodyBytes) {
      throw new RangeError(`A frame of ${messageBytes} and ${bodyBytes} bytes is above the limit`);
    }
    const message: unknown = JSON.parse((yield messageBytes).toString());
    onFrame({ message, body: yield bodyBytes });
  }
}
