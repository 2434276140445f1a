import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { close, createReadStream, open, unlink, write } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { ByteRange } from '../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { TemporaryFile, TemporaryFiles } from '../../domain/ports/bytes/temporary-files.ts';
import type { ProcessRegistry } from '../../domain/ports/process/process-registry.ts';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';
import { stagedName } from './filesystem-staging-area.ts';
import { readOrFail } from './open-file.ts';
import { translatingFileSystemErrors } from './translating-file-system-errors.ts';

const openFile = promisify(open);
const unlinkFile = promisify(unlink);
const writeAt = promisify(write);

/** Files in the staging folder that are unlinked before they are written. */
export class FilesystemTemporaryFiles implements TemporaryFiles {
  constructor(
    private readonly folder: string,
    private readonly uuids: UuidGenerator,
    private readonly processes: ProcessRegistry,
  ) {}

  async write(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<TemporaryFile> {
    const file = await translatingFileSystemErrors(() => this.create());
    try {
      for await (const chunk of bytes) await translatingFileSystemErrors(() => file.append(chunk));
      return file.finish();
    } catch (error) {
      file.release();
      throw error;
    }
  }

  /** A process that is killed before the file is unlinked leaves it to the sweeper. */
  private async create(): Promise<UnlinkedFile> {
    const path = join(this.folder, stagedName(this.processes.self, this.uuids.next()));
    const descriptor = await openFile(path, 'wx+', 0o600);
    const file = new UnlinkedFile(descriptor);
    try {
      await unlinkFile(path);
      return file;
    } catch (error) {
      file.release();
      throw error;
    }
  }
}

/** Its readers share one descriptor, which is closed when nobody holds the file. */
class UnlinkedFile {
  private readonly hash: Hash = createHash('sha256');
  private size = 0;
  private holders = 1;

  constructor(private readonly descriptor: number) {}

  async append(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const left = chunk.length - at;
      const { bytesWritten } = await writeAt(this.descriptor, chunk, at, left, this.size + at);
      at += bytesWritten;
    }
    this.size += chunk.length;
    this.hash.update(chunk);
  }

  finish(): TemporaryFile {
    return {
      size: this.size,
      sha256: this.hash.digest('hex'),
      read: () => this.open().read(),
      open: (range) => this.open(range),
      release: () => setImmediate(() => this.release()),
    };
  }

  release(): void {
    this.holders -= 1;
    // Nothing that was written is needed any more, so an error changes nothing.
    if (this.holders === 0) close(this.descriptor, () => undefined);
  }

  private open({ start, end }: ByteRange = { start: 0, end: this.size - 1 }): OpenedBlob {
    if (this.holders === 0) throw new TypeError('The temporary file is gone');
    this.holders += 1;
    let isHeld = true;
    const letGo = (): void => {
      if (isHeld) this.release();
      isHeld = false;
    };
    let stream: Readable | undefined;
    return {
      size: this.size,
      read: () => {
        stream ??= createReadStream('', {
          fd: this.descriptor,
          start,
          end,
          fs: {
            read: readOrFail,
            // Called in place of closing the descriptor, when no read is under way any more.
            close: (_descriptor: number, done: (error: Error | null) => void) => {
              letGo();
              done(null);
            },
          },
        });
        return stream;
      },
      close: async () => {
        if (stream === undefined) return letGo();
        stream.destroy();
        if (!stream.closed) await once(stream, 'close').catch(() => undefined);
      },
    };
  }
}
