import { Overloaded } from '../../domain/errors.ts';
import type { TimeLimit } from '../../domain/ports/records/image-search.ts';
import { boundedWait } from './bounded-wait.ts';

export interface Caller {
  readonly subject: string;
  readonly leaving: AbortSignal;
}

/** One subject may have this many. Further ones get `Overloaded`. */
const MAX_WAITING = 32;

/** Bounds slow work: one at a time for each subject, and a few over all. Subjects take turns. */
export class Turns {
  private readonly running = new Set<string>();
  /** By subject, in the order of the next turn. */
  private readonly waiting = new Map<string, Array<() => void>>();

  constructor(private readonly places: number) {}

  /**
   * The time of waiting counts.
   *
   * @throws {Overloaded} if the time is over, or the caller has left, before the work begins
   */
  async run<T>(
    { subject, leaving }: Caller,
    withinMs: number,
    work: (limit: TimeLimit) => Promise<T>,
  ): Promise<T> {
    const end = performance.now() + withinMs;
    const limit = boundedWait(leaving, withinMs);
    const { signal: stopped } = limit;
    try {
      await this.wait(subject, stopped);
      try {
        return await work({ withinMs: Math.max(0, end - performance.now()), stopped });
      } finally {
        this.release(subject);
      }
    } finally {
      limit.end();
    }
  }

  private async wait(subject: string, stopped: AbortSignal): Promise<void> {
    const queue = this.waiting.get(subject) ?? [];
    if (stopped.aborted || queue.length >= MAX_WAITING) throw new Overloaded();
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        stopped.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.remove(subject, begin);
        reject(new Overloaded());
      };
      stopped.addEventListener('abort', giveUp, { once: true });
      this.waiting.set(subject, [...queue, begin]);
      this.next();
    });
  }

  private remove(subject: string, begin: () => void): void {
    const others = this.waiting.get(subject)?.filter((one) => one !== begin) ?? [];
    if (others.length > 0) this.waiting.set(subject, others);
    else this.waiting.delete(subject);
  }

  private release(subject: string): void {
    this.running.delete(subject);
    const queue = this.waiting.get(subject);
    if (queue !== undefined) {
      // Behind all other subjects.
      this.waiting.delete(subject);
      this.waiting.set(subject, queue);
    }
    this.next();
  }

  private next(): void {
    for (const [subject, [begin]] of this.waiting) {
      if (this.running.size >= this.places) return;
      if (this.running.has(subject) || begin === undefined) continue;
      this.running.add(subject);
      this.remove(subject, begin);
      begin();
    }
  }
}
