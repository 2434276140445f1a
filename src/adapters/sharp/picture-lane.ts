import PQueue from 'p-queue';
import { Overloaded } from '../../domain/errors.ts';

/** Lets so many pictures be worked on at a time, and so many wait: each holds a few bytes per pixel while it is decoded. */
export class PictureLane {
  private readonly queue: PQueue;

  constructor(
    concurrency: number,
    private readonly maxWaiting: number,
  ) {
    this.queue = new PQueue({ concurrency });
  }

  /**
   * @param signal takes the work back if it has not begun
   * @throws {Overloaded} where enough is waiting already
   * @throws the reason of `signal` where that took the work back
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.isFull()) throw new Overloaded();
    const waiting = new AbortController();
    const takeBack = (): void => waiting.abort(signal?.reason);
    signal?.addEventListener('abort', takeBack, { once: true });
    const begin = (): Promise<T> => {
      // From here on it holds its place to the end: libvips goes on, whoever has lost interest.
      signal?.removeEventListener('abort', takeBack);
      return work();
    };
    return await this.queue.add(begin, { signal: waiting.signal });
  }

  private isFull(): boolean {
    return this.queue.pending >= this.queue.concurrency && this.queue.size >= this.maxWaiting;
  }
}
