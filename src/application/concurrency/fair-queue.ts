import { Overloaded } from '../../domain/errors.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import { ALL, type Bound, type QueuedJob, type QueuePolicy } from './queue-policy.ts';
import { Tally } from './tally.ts';

interface Waiter<Job> {
  readonly job: Job;
  /** Earlier requests of a subject come first. */
  readonly request: number;
  readonly begin: (end: () => void) => void;
  readonly refuse: (reason: unknown) => void;
  /** The client may leave. */
  readonly unlisten: () => void;
}

/** Bounds work, and shares it among subjects. */
export class FairQueue<Job extends QueuedJob> {
  private readonly underWay = new Tally();
  private readonly heldBack = new Tally();
  /** Subjects are in the order of their next turns, the jobs of a subject in the order of the requests. */
  private readonly waiters = new Map<string, readonly Waiter<Job>[]>();
  private requests = 0;
  private isScheduled = false;

  constructor(private readonly policy: QueuePolicy<Job>) {}

  running(label: string): number {
    return this.underWay.of(label);
  }

  /** The number of a new request. */
  nextRequest(): number {
    this.requests += 1;
    return this.requests;
  }

  /** Does not wait. Returns what ends the turn, or `undefined` if it would have to wait. */
  tryTake(job: Job): (() => void) | undefined {
    return this.waiters.size === 0 && this.mayBegin(job) ? this.begin(job) : undefined;
  }

  /**
   * Does not wait.
   *
   * @returns what ends the turn
   * @throws {Overloaded}
   */
  takeNow(job: Job): () => void {
    const end = this.tryTake(job);
    if (end === undefined) throw new Overloaded(this.policy.reason);
    return end;
  }

  /**
   * Waits for the turn of a job.
   *
   * @returns what ends the turn
   * @throws {Overloaded} if too many wait
   * @throws the reason of `stopped`
   */
  async take(job: Job, stopped: Cancellation, request = this.nextRequest()): Promise<() => void> {
    stopped.throwIfAborted();
    return this.tryTake(job) ?? (await this.wait(job, stopped, request));
  }

  /**
   * Begins what may begin. At the end of the turn of the event loop: a request whose
   * portion has ended waits for its next one by then.
   */
  private schedule(): void {
    if (this.isScheduled || this.waiters.size === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      for (let next = this.next(); next !== undefined; next = this.next()) this.admit(next);
    });
  }

  private mayBegin(job: Job): boolean {
    const othersWait = this.waiters.size > (this.waiters.has(job.subject) ? 1 : 0);
    return this.underWay.fits(this.policy.running(job, othersWait));
  }

  private begin(job: Job): () => void {
    const bounds = this.policy.running(job, false);
    this.underWay.add(bounds);
    return () => {
      this.underWay.remove(bounds);
      this.schedule();
    };
  }

  private async wait(job: Job, stopped: Cancellation, request: number): Promise<() => void> {
    return await new Promise((begin, refuse) => {
      const leave = (): void => {
        this.remove(waiter);
        refuse(stopped.reason);
        // Others may have waited for this one.
        this.schedule();
      };
      const unlisten = (): void => stopped.removeEventListener('abort', leave);
      const waiter = { job, request, begin, refuse, unlisten };
      stopped.addEventListener('abort', leave, { once: true });
      this.insert(waiter);
    });
  }

  private insert(waiter: Waiter<Job>): void {
    const { subject } = waiter.job;
    const bounds = this.boundsOf(waiter);
    const isBeyond = !this.heldBack.fits(bounds);
    this.heldBack.add(bounds);
    const own = [...(this.waiters.get(subject) ?? []), waiter].toSorted((a, b) => a.request - b.request);
    this.waiters.set(subject, own);
    if (isBeyond) this.refuse(own.at(-1) ?? waiter);
    this.schedule();
  }

  private refuse(waiter: Waiter<Job>): void {
    this.remove(waiter);
    waiter.refuse(new Overloaded(this.policy.reason));
  }

  private remove(waiter: Waiter<Job>): void {
    const { subject } = waiter.job;
    const others = this.waiters.get(subject)?.filter((other) => other !== waiter) ?? [];
    if (others.length > 0) this.waiters.set(subject, others);
    else this.waiters.delete(subject);
    this.heldBack.remove(this.boundsOf(waiter));
    waiter.unlisten();
  }

  private boundsOf({ job }: Waiter<Job>): readonly Bound[] {
    return this.policy.waiting?.(job) ?? [];
  }

  private next(): Waiter<Job> | undefined {
    for (const waiter of this.candidates()) {
      if (this.mayBegin(waiter.job)) return waiter;
      if (this.lacksRoomOnly(waiter.job)) return undefined;
    }
    return undefined;
  }

  /**
   * Whether a heavy job waits only until enough running jobs have ended. Jobs after it must wait too: if lighter ones took the room of
   * each job that ends, the heavy one would never begin.
   */
  private lacksRoomOnly(job: Job): boolean {
    const bounds = this.policy.running(job, true);
    const isHeavy = bounds.some(({ label, weight = 1 }) => label === ALL && weight > 1);
    return isHeavy && this.underWay.fits(bounds.filter(({ label }) => label !== ALL));
  }

  /** The waiting jobs that may be next, in the order of the turns. */
  private candidates(): ReadonlyArray<Waiter<Job>> {
    const bySubject = [...this.waiters.values()];
    return bySubject.flatMap((own) => (this.policy.inOrder === true ? own.slice(0, 1) : own));
  }

  private admit(waiter: Waiter<Job>): void {
    const { subject } = waiter.job;
    this.remove(waiter);
    const others = this.waiters.get(subject);
    if (others !== undefined) {
      // Behind all other subjects.
      this.waiters.delete(subject);
      this.waiters.set(subject, others);
    }
    waiter.begin(this.begin(waiter.job));
  }
}
