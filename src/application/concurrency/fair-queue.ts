import { Overloaded } from '../../domain/errors.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { Turns } from '../../domain/ports/process/turns.ts';

export interface Caller {
  readonly subject: string;
  /** Aborts when the client has left. */
  readonly leaving: AbortSignal;
}

export interface Shares<Kind> {
  /** Portions under way at a time. */
  readonly places: number;

  /** Whether a subject that has these under way may begin one more, if a place is free. */
  mayBegin(kind: Kind, own: readonly Kind[], othersWait: boolean): boolean;
}

/** Requests of one subject. Later ones are refused. */
const MAX_WAITING = 64;
const MAX_WAIT_MS = 10_000;

interface Request<Kind> {
  readonly subject: string;
  readonly kind: Kind;
  /** Of its arrival. */
  readonly number: number;
}

interface Waiter<Kind> {
  readonly request: Request<Kind>;
  begin(): void;
  refuse(): void;
}

/** Bounds slow work, and shares it among subjects: they take turns. Portions of the earliest request of a subject come first. */
export class FairQueue<Kind> {
  private requests = 0;
  private readonly underWay: Request<Kind>[] = [];
  /** By subject, in the order of their next turns; those of a subject in the order of the requests. */
  private readonly waiting = new Map<string, readonly Waiter<Kind>[]>();
  private isScheduled = false;

  constructor(
    private readonly shares: Shares<Kind>,
    private readonly timer: Timer,
  ) {}

  /** The turns of one request. */
  turnsOf({ subject, leaving }: Caller, kind: Kind): Turns {
    this.requests += 1;
    const request = { subject, kind, number: this.requests };
    return { stopped: leaving, run: (portion) => this.run(request, leaving, portion) };
  }

  private async run<T>(request: Request<Kind>, stopped: AbortSignal, portion: () => Promise<T>): Promise<T> {
    if (stopped.aborted) throw new Overloaded();
    // Not past others that wait.
    if (this.waiting.size === 0 && this.mayBegin(request)) this.underWay.push(request);
    else await this.wait(request, stopped);
    try {
      return await portion();
    } finally {
      this.underWay.splice(this.underWay.indexOf(request), 1);
      this.schedule();
    }
  }

  private async wait(request: Request<Kind>, stopped: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        cancelTimer();
        stopped.removeEventListener('abort', giveUp);
      };
      const waiter: Waiter<Kind> = {
        request,
        begin: () => {
          end();
          resolve();
        },
        refuse: () => {
          end();
          reject(new Overloaded());
        },
      };
      const giveUp = (): void => {
        this.remove(waiter);
        waiter.refuse();
        // Others may have waited for this one.
        this.schedule();
      };
      const cancelTimer = this.timer(MAX_WAIT_MS, giveUp);
      stopped.addEventListener('abort', giveUp, { once: true });
      this.insert(waiter);
    });
  }

  private insert(waiter: Waiter<Kind>): void {
    const { subject } = waiter.request;
    const waiters = [...(this.waiting.get(subject) ?? []), waiter].toSorted(
      (a, b) => a.request.number - b.request.number,
    );
    this.waiting.set(subject, waiters.slice(0, MAX_WAITING));
    waiters[MAX_WAITING]?.refuse();
    this.schedule();
  }

  private remove(waiter: Waiter<Kind>): void {
    const { subject } = waiter.request;
    const others = this.waiting.get(subject)?.filter((other) => other !== waiter) ?? [];
    if (others.length > 0) this.waiting.set(subject, others);
    else this.waiting.delete(subject);
  }

  /** At the end of the turn of the event loop, the request whose portion has ended waits for its next one already. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      for (let next = this.next(); next !== undefined; next = this.next()) this.begin(next);
    });
  }

  private next(): Waiter<Kind> | undefined {
    for (const waiters of this.waiting.values()) {
      const next = waiters.find(({ request }) => this.mayBegin(request));
      if (next !== undefined) return next;
    }
    return undefined;
  }

  private mayBegin({ subject, kind }: Request<Kind>): boolean {
    if (this.underWay.length >= this.shares.places) return false;
    const own = this.underWay.filter((other) => other.subject === subject).map((other) => other.kind);
    const othersWait = this.waiting.size > (this.waiting.has(subject) ? 1 : 0);
    return this.shares.mayBegin(kind, own, othersWait);
  }

  private begin(waiter: Waiter<Kind>): void {
    const { subject } = waiter.request;
    this.remove(waiter);
    const others = this.waiting.get(subject);
    if (others !== undefined) {
      // Behind all other subjects.
      this.waiting.delete(subject);
      this.waiting.set(subject, others);
    }
    this.underWay.push(waiter.request);
    waiter.begin();
  }
}
