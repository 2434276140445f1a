import { SubjectShares } from '../../application/subject-shares.ts';
import { Overloaded } from '../../domain/errors.ts';
import type { Cancellation } from '../../domain/ports/cancellation.ts';
import { WeightedSemaphore } from './weighted-semaphore.ts';

export interface DecodeQueueLimits {
  readonly concurrency: number;
  /** One subject may have half as many. */
  readonly maxWaiting: number;
  /** From the arrival of a job to its decode. */
  readonly maxWaitMs: number;
}

export interface JobOwner {
  /** Cancels the job if it has not begun to decode. */
  readonly signal: Cancellation;
  /** Has a share of the waiting jobs; jobs without a subject are not counted. */
  readonly subject?: string | undefined;
}

/** Part of the memory that a job without a client may take. */
const AHEAD_SHARE = 1 / 4;

/** Waits until the bytes are free. Called once per job. */
export type ReserveMemory = (bytes: number) => Promise<void>;

/** Bounds decodes and encodes by number and shared memory. Serves jobs in order of arrival. */
export class DecodeQueue {
  private readonly places: WeightedSemaphore;
  private readonly shares: SubjectShares;

  constructor(
    private readonly memory: WeightedSemaphore,
    private readonly limits: DecodeQueueLimits,
  ) {
    this.places = new WeightedSemaphore(limits.concurrency);
    this.shares = new SubjectShares(limits.maxWaiting);
  }

  /** Jobs with a place, also those that wait for memory. */
  get running(): number {
    return this.places.held;
  }

  get waiting(): number {
    return this.places.waiting;
  }

  get maxWaiting(): number {
    return this.limits.maxWaiting;
  }

  /**
   * libvips cannot be interrupted: a job that has reserved its memory runs to completion.
   *
   * @throws {Overloaded}
   * @throws the reason of `owner.signal`
   */
  async run<T>(job: (reserve: ReserveMemory) => Promise<T>, owner: JobOwner): Promise<T> {
    owner.signal.throwIfAborted();
    const wait = boundedWait(owner.signal, this.limits.maxWaitMs);
    const releases: (() => void)[] = [];
    try {
      releases.push(await this.takePlace(owner.subject, wait.signal));
      return await job(async (bytes) => {
        if (bytes > this.memory.capacity) throw new Overloaded();
        releases.push(await this.memory.acquire(bytes, wait.signal));
        wait.end();
      });
    } finally {
      wait.end();
      for (const release of releases) release();
    }
  }

  /**
   * Runs a job that no client waits for: takes no place, and only memory that is free.
   *
   * @throws {Overloaded} if other jobs would have to wait for the memory
   */
  async runAhead<T>(job: (reserve: ReserveMemory) => Promise<T>, signal: Cancellation): Promise<T> {
    signal.throwIfAborted();
    const releases: (() => void)[] = [];
    try {
      return await job(async (bytes) => {
        const isSmall = bytes <= this.memory.capacity * AHEAD_SHARE;
        if (!isSmall || !this.memory.isFree(bytes)) throw new Overloaded();
        releases.push(await this.memory.acquire(bytes, signal));
      });
    } finally {
      for (const release of releases) release();
    }
  }

  private async takePlace(subject: string | undefined, signal: Cancellation): Promise<() => void> {
    if (this.places.isFree(1) || subject === undefined) return await this.wait(signal);
    const release = this.shares.take(subject);
    try {
      return await this.wait(signal);
    } finally {
      release();
    }
  }

  private async wait(signal: Cancellation): Promise<() => void> {
    if (!this.places.isFree(1) && this.places.waiting >= this.limits.maxWaiting) throw new Overloaded();
    return await this.places.acquire(1, signal);
  }
}

interface BoundedWait {
  readonly signal: Cancellation;
  /** Later events cancel nothing. */
  end(): void;
}

function boundedWait(owner: Cancellation, maxWaitMs: number): BoundedWait {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(owner.reason);
  const timer = setTimeout(() => controller.abort(new Overloaded()), maxWaitMs);
  owner.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      owner.removeEventListener('abort', cancel);
    },
  };
}
