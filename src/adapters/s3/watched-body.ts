import { Readable } from 'node:stream';
import { StorageUnavailable } from '../../domain/errors.ts';
import type { ReadableBytes } from '../../domain/ports/bytes/readable-bytes.ts';

/** Its signal cancels the request if the file cannot be read or the server takes no more bytes. */
export class WatchedBody {
  readonly stream: Readable;
  failure: StorageUnavailable | undefined;
  private readonly controller = new AbortController();
  private readonly stall: NodeJS.Timeout;

  constructor(
    private readonly file: Pick<ReadableBytes, 'read'>,
    stallMs: number,
  ) {
    this.stream = Readable.from(this.chunks(), { objectMode: false });
    this.stream.once('error', (cause) => this.fail(cause));
    this.stall = setTimeout(
      () => this.fail(new Error(`The server has taken nothing for ${stallMs} ms`)),
      stallMs,
    );
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  close(): void {
    clearTimeout(this.stall);
    this.stream.destroy();
  }

  private async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of this.file.read()) {
      this.stall.refresh();
      yield chunk;
    }
  }

  private fail(cause: Error): void {
    this.failure ??= new StorageUnavailable({ cause });
    this.controller.abort(cause);
  }
}
