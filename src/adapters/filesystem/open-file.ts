import { once } from 'node:events';
import { close, closeSync, createReadStream, fstatSync, open, read, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import { ignoreMissing } from './translating-file-system-errors.ts';

/** Read at once: a stream would cost more than the read. */
export const READ_WHOLE_BYTES = 256 * 1024;

const readFrom = promisify(read);

type ReadDone = (error: NodeJS.ErrnoException | null, bytesRead: number, bytes?: Buffer) => void;

/**
 * A stream with a known end never reads beyond it. A read without bytes therefore means that the file has become shorter, and the
 * stream of Node.js would end as if it were complete.
 */
export function readOrFail(
  descriptor: number,
  into: Buffer,
  offset: number,
  length: number,
  position: number,
  done: ReadDone,
): void {
  read(descriptor, into, offset, length, position, (error, bytesRead) => {
    const isShort = error === null && bytesRead === 0;
    done(isShort ? new Error('The file has become shorter') : error, bytesRead, into);
  });
}

/** Uses descriptors and callbacks: `node:fs/promises` takes more time than the system calls. */
export class OpenFile {
  private isOpen = true;

  private constructor(
    private readonly path: string,
    readonly descriptor: number,
    readonly stats: Stats,
  ) {}

  /** `undefined` if there is none. */
  static async open(path: string): Promise<OpenFile | undefined> {
    const descriptor = await promisify(open)(path, 'r').catch(ignoreMissing);
    if (descriptor === undefined) return undefined;
    // The stats of an open file are in memory: the thread pool would only add a round trip.
    return new OpenFile(path, descriptor, fstatSync(descriptor));
  }

  /**
   * The result is shorter if the file ends early.
   *
   * @param into by default memory of its own: a slice of the pool would keep the whole pool
   */
  async read(position: number, length: number, into = Buffer.allocUnsafeSlow(length)): Promise<Uint8Array> {
    const { bytesRead } = await readFrom(this.descriptor, into, 0, length, position);
    return into.subarray(0, bytesRead);
  }

  /** The stream closes the file at its end or when destroyed. */
  stream(start: number, end: number): Pick<OpenedBlob, 'read' | 'close'> {
    this.isOpen = false;
    // A known end saves the read that would find the end of the file.
    const stream = createReadStream(this.path, {
      fd: this.descriptor,
      start,
      end,
      fs: { read: readOrFail, close },
    });
    return {
      read: () => stream,
      close: async (): Promise<void> => {
        stream.destroy();
        if (!stream.closed) await once(stream, 'close').catch(() => undefined);
      },
    };
  }

  /** Does nothing if a stream has taken the file over. At once: a file that was only read has nothing left to write. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    closeSync(this.descriptor);
  }
}
