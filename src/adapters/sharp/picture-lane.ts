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
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.queue.size >= this.maxWaiting) throw new Overloaded();
    return await this.queue.add(work, { ...(signal && { signal }) });
  }
}
