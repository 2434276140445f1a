import { type Frame, type FramePrefix, PREFIX_BYTES, prefixOf } from '../../decoder/protocol.ts';

/** Assembles the frames of a stream of bytes. */
export class FrameReader {
  private part = new PartOfFrame(PREFIX_BYTES);
  private message: unknown;
  private state: 'prefix' | 'message' | 'body' = 'prefix';
  private bodyBytes = 0;

  /** @param limits checked at the beginning of each frame, before memory is allocated */
  constructor(
    private readonly limits: () => FramePrefix,
    private readonly onFrame: (frame: Frame) => void,
  ) {}

  /** @throws {RangeError | SyntaxError} */
  push(chunk: Uint8Array): void {
    let rest = chunk;
    do {
      rest = this.part.take(rest);
      if (!this.part.isWhole) return;
      this.next(this.part.bytes);
    } while (rest.length > 0 || this.part.isWhole);
  }

  private next(bytes: Buffer): void {
    if (this.state === 'prefix') return this.beginMessage(prefixOf(bytes));
    if (this.state === 'message') {
      this.message = JSON.parse(bytes.toString());
      return this.begin('body', this.bodyBytes);
    }
    this.begin('prefix', PREFIX_BYTES);
    this.onFrame({ message: this.message, body: bytes });
  }

  private beginMessage({ messageBytes, bodyBytes }: FramePrefix): void {
    const limits = this.limits();
    if (messageBytes > limits.messageBytes || bodyBytes > limits.bodyBytes) {
      throw new RangeError(`A frame of ${messageBytes} and ${bodyBytes} bytes is above the limit`);
    }
    this.bodyBytes = bodyBytes;
    this.begin('message', messageBytes);
  }

  private begin(state: 'prefix' | 'message' | 'body', bytes: number): void {
    this.state = state;
    this.part = new PartOfFrame(bytes);
  }
}

class PartOfFrame {
  readonly bytes: Buffer;
  private filled = 0;

  constructor(length: number) {
    // In memory of its own: a large body must not keep a pool alive, nor the other way round.
    this.bytes = Buffer.allocUnsafeSlow(length);
  }

  get isWhole(): boolean {
    return this.filled === this.bytes.length;
  }

  /** Returns what it does not take. */
  take(chunk: Uint8Array): Uint8Array {
    const taken = chunk.subarray(0, this.bytes.length - this.filled);
    this.bytes.set(taken, this.filled);
    this.filled += taken.length;
    return chunk.subarray(taken.length);
  }
}
