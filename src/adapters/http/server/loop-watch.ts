import type { Logger } from 'pino';
import type { Timer } from '../../../domain/ports/process/timer.ts';
import type { RequestsUnderWay } from '../telemetry/requests-under-way.ts';

export interface LoopWatchOptions {
  readonly timer: Timer;
  /** In ms; never set back. */
  readonly now: () => number;
  readonly requests: RequestsUnderWay;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 50;
const LATE_MS = 250;
const LINE_EVERY_MS = 60_000;

/** Logs when the event loop is late, which delays all requests, and the requests under way: one of them may have held it. */
export class LoopWatch {
  private cancel = (): void => {};
  private nextLineAt = Number.NEGATIVE_INFINITY;

  private constructor(private readonly options: LoopWatchOptions) {}

  /** Returns what ends it. */
  static start(options: LoopWatchOptions): () => void {
    const watch = new LoopWatch(options);
    watch.wait();
    return () => watch.cancel();
  }

  private wait(): void {
    const { timer, now, requests } = this.options;
    const due = now() + LOOK_EVERY_MS;
    this.cancel = timer(LOOK_EVERY_MS, () => {
      const delayMs = now() - due;
      if (delayMs > LATE_MS) this.report(delayMs);
      requests.forgetEnded();
      this.wait();
    });
  }

  /** A machine that is too small is late all the time. */
  private report(delayMs: number): void {
    const { now, requests, log } = this.options;
    if (now() < this.nextLineAt) return;
    this.nextLineAt = now() + LINE_EVERY_MS;
    const facts = { delayMs: Math.round(delayMs), underWay: requests.size, requests: requests.names() };
    log.warn(facts, 'event loop delayed');
  }
}
