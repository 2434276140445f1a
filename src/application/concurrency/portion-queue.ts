import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { Turns } from '../../domain/ports/process/turns.ts';
import type { Caller } from './caller.ts';
import { FairQueue } from './fair-queue.ts';
import type { QueuedJob, QueuePolicy } from './queue-policy.ts';
import { runWithin } from './run-within.ts';

interface Portion<Kind> extends QueuedJob {
  readonly kind: Kind;
}

export type PortionPolicy<Kind> = QueuePolicy<Portion<Kind>>;

/** Requests of one subject. Later ones are refused. */
const MAX_WAITING = 64;
const MAX_WAIT_MS = 10_000;

/** Slow work in portions, each of which waits for a turn. Portions of the earliest request of a subject come first. */
export class PortionQueue<Kind> {
  private readonly queue: FairQueue<Portion<Kind>>;

  constructor(
    private readonly policy: PortionPolicy<Kind>,
    private readonly timer: Timer,
  ) {
    const waiting: PortionPolicy<Kind>['waiting'] = ({ subject }) => [{ label: subject, max: MAX_WAITING }];
    this.queue = new FairQueue({ ...policy, waiting });
  }

  /** The turns of one request. */
  turnsOf({ subject, leaving }: Caller, kind: Kind): Turns {
    const job = { subject, kind };
    const request = this.queue.nextRequest();
    return {
      stopped: leaving,
      run: async (portion) => {
        leaving.throwIfAborted();
        const end = this.queue.tryTake(job) ?? (await this.take(job, leaving, request));
        try {
          return await portion();
        } finally {
          end();
        }
      },
    };
  }

  private async take(job: Portion<Kind>, ended: Cancellation, request: number): Promise<() => void> {
    const bound = { ms: MAX_WAIT_MS, ended, reason: this.policy.reason };
    return await runWithin(this.timer, bound, (over) => this.queue.take(job, over, request));
  }
}
