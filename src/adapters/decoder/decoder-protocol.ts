import { closeSync, fstatSync, open, read } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { type Frame, frameHead, MAX_REPLY_BYTES, type Request } from '../../decoder/protocol.ts';
import { StorageUnavailable } from '../../domain/errors.ts';
import { FrameReader } from './frame-reader.ts';
import type { JobInput } from './job-input.ts';

interface ProtocolParts {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The largest body of the next reply. */
  readonly replyBytes: () => number;
  /** Called for what no honest decoder sends, and if a file cannot be sent to its end. */
  readonly cancel: (why: 'crash' | 'cancelled') => void;
}

interface Reply {
  readonly settle: (frame: Frame) => void;
  readonly fail: (error: Error) => void;
}

const CHUNK_BYTES = 1024 * 1024;
const NO_INPUT = new Uint8Array();

// `node:fs/promises` takes more time than the system calls.
const openFile = promisify(open);
const readFrom = promisify(read);

/** Requests to a decoder, and its replies. One question at a time. */
export class DecoderProtocol {
  private readonly frames: FrameReader;
  private chunk: Buffer | undefined;
  /** Settled by the next frame. */
  private reply: Reply | undefined;
  private failure: (() => Error) | undefined;
  /** The last request has opened a file. */
  private isFileOpen = false;

  constructor(private readonly parts: ProtocolParts) {
    const { stdout, replyBytes } = parts;
    this.frames = new FrameReader(
      () => ({ messageBytes: MAX_REPLY_BYTES, bodyBytes: replyBytes() }),
      (frame) => this.receive(frame),
    );
    stdout.on('data', (chunk: Buffer) => this.read(chunk));
  }

  /**
   * @param begin called when the input is open. Returns what is called when the decoder has replied and taken its input
   * @throws {StorageUnavailable} and the error of `fail`
   */
  async ask(request: Request, begin: () => () => void, input: JobInput = NO_INPUT): Promise<Frame> {
    const source = typeof input === 'string' ? await openInput(input) : input;
    const finish = begin();
    this.isFileOpen = request.kind === 'open';
    try {
      // Waits for both: a decoder that replies before it has taken its input is not ready for the next request.
      const [frame] = await Promise.all([this.nextFrame(), this.send(request, source)]);
      return frame;
    } finally {
      finish();
      // At once: a file that was only read has nothing left to write.
      if (typeof source === 'number') closeSync(source);
    }
  }

  /** Sends a request without input. */
  tell(request: Request): void {
    this.parts.stdin.write(frameHead(request, 0));
  }

  closeFile(): void {
    if (this.isFileOpen) this.tell({ kind: 'close' });
    this.isFileOpen = false;
  }

  /** @throws the error of `fail` */
  async nextFrame(): Promise<Frame> {
    return await new Promise((settle, fail) => {
      this.reply = { settle, fail };
      if (this.failure !== undefined) fail(this.failure());
    });
  }

  /** Fails the question that waits for a reply, and all later ones. */
  fail(failure: () => Error): void {
    this.failure = failure;
    this.reply?.fail(failure());
  }

  private read(chunk: Buffer): void {
    try {
      this.frames.push(chunk);
    } catch {
      this.parts.cancel('crash');
    }
  }

  private receive(frame: Frame): void {
    const { reply } = this;
    this.reply = undefined;
    if (reply === undefined) this.parts.cancel('crash');
    else reply.settle(frame);
  }

  /** Resolves also if the process has exited, which fails the job. */
  private async send(request: Request, source: number | Uint8Array): Promise<void> {
    // The stats of an open file are in memory: the thread pool would only add a round trip.
    const size = typeof source === 'number' ? fstatSync(source).size : source.length;
    this.parts.stdin.write(frameHead(request, size));
    if (typeof source !== 'number') {
      if (size > 0) await this.hasWritten(source);
      return;
    }
    for (let sent = 0; sent < size; ) {
      const bytes = await this.readPart(source, sent);
      if (!(await this.hasWritten(bytes))) return;
      sent += bytes.length;
    }
  }

  private async readPart(descriptor: number, position: number): Promise<Uint8Array> {
    this.chunk ??= Buffer.allocUnsafeSlow(CHUNK_BYTES);
    try {
      const { bytesRead } = await readFrom(descriptor, this.chunk, 0, this.chunk.length, position);
      if (bytesRead > 0) return this.chunk.subarray(0, bytesRead);
      throw new Error('The file has become shorter');
    } catch (cause) {
      // The decoder would wait for the rest for ever.
      this.parts.cancel('cancelled');
      throw new StorageUnavailable({ cause });
    }
  }

  /** `false` if the process has exited. */
  private async hasWritten(bytes: Uint8Array): Promise<boolean> {
    return await new Promise((resolve) => this.parts.stdin.write(bytes, (error) => resolve(!error)));
  }
}

/** @throws {StorageUnavailable} */
async function openInput(path: string): Promise<number> {
  return await openFile(path, 'r').catch((cause: unknown) => {
    throw new StorageUnavailable({ cause });
  });
}
