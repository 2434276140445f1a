import { SubjectShares } from '../../application/concurrency/subject-shares.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';

/** In order of precedence. No client waits for a rendition `ahead` of requests. */
const KINDS = ['inspection', 'rendition', 'ahead'] as const;

export type JobKind = (typeof KINDS)[number];

export interface JobOwner {
  readonly kind: JobKind;
  /** Subjects take turns. Empty for jobs of the service itself. */
  readonly subject: string;
}

export interface TurnLimits {
  /** At a time. One place is for inspections, if there are several. */
  readonly renditions: number;
  /** Renditions. One subject may have half as many. Uploads are bounded by their own places. */
  readonly maxWaiting: number;
}

interface Waiter {
  readonly owner: JobOwner;
  /** With the function that ends the turn. */
  readonly admit: (end: () => void) => void;
}

interface Turn {
  readonly owner: JobOwner;
  readonly since: number;
}

/** Decides which job is next: inspections first, and of these the subject that has used the least decoder time. */
export class DecodeTurns {
  /** The oldest first. */
  private readonly waiters = new Set<Waiter>();
  private readonly turns = new Set<Turn>();
  private readonly shares: SubjectShares;
  private readonly time: DecoderTime;

  constructor(
    private readonly limits: TurnLimits,
    private readonly places: () => number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.shares = new SubjectShares(limits.maxWaiting);
    this.time = new DecoderTime(nowMs);
  }

  get maxWaiting(): number {
    return this.limits.maxWaiting;
  }

  running(...kinds: readonly JobKind[]): number {
    return [...this.turns].filter(({ owner }) => kinds.includes(owner.kind)).length;
  }

  waiting(...kinds: readonly JobKind[]): number {
    return [...this.waiters].filter(({ owner }) => kinds.includes(owner.kind)).length;
  }

  /**
   * @returns function to end the turn
   * @throws {Overloaded}
   * @throws the reason of `signal`
   */
  async take(owner: JobOwner, signal: Cancellation): Promise<() => void> {
    signal.throwIfAborted();
    if (this.mayRun(owner.kind)) return this.begin(owner);
    const release = owner.kind === 'rendition' ? this.shares.take(owner.subject) : undefined;
    try {
      return await this.wait(owner, signal);
    } finally {
      release?.();
    }
  }

  /** To be called when there are more places. */
  admit(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      this.waiters.delete(next);
      next.admit(this.begin(next.owner));
    }
  }

  /** No job that has precedence waits: it would run. */
  private mayRun(kind: JobKind): boolean {
    const places = this.places();
    if (this.turns.size >= places) return false;
    const renditions = Math.min(this.limits.renditions, Math.max(1, places - 1));
    return kind === 'inspection' || this.running('rendition', 'ahead') < renditions;
  }

  private begin(owner: JobOwner): () => void {
    const turn = { owner, since: this.nowMs() };
    this.turns.add(turn);
    return () => this.end(turn);
  }

  private end(turn: Turn): void {
    this.turns.delete(turn);
    this.time.add(turn.owner.subject, this.nowMs() - turn.since);
    this.admit();
  }

  private async wait(owner: JobOwner, signal: Cancellation): Promise<() => void> {
    return await new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.waiters.delete(waiter);
        reject(signal.reason);
      };
      const admit = (end: () => void): void => {
        signal.removeEventListener('abort', cancel);
        resolve(end);
      };
      const waiter = { owner, admit };
      this.waiters.add(waiter);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  private next(): Waiter | undefined {
    for (const kind of KINDS) {
      const waiters = [...this.waiters].filter(({ owner }) => owner.kind === kind);
      if (waiters.length > 0 && this.mayRun(kind)) return this.leastServed(waiters);
    }
    return undefined;
  }

  /** The first of several. */
  private leastServed(waiters: readonly Waiter[]): Waiter | undefined {
    const ms = waiters.map(({ owner }) => this.usedMs(owner.subject));
    return waiters[ms.indexOf(Math.min(...ms))];
  }

  private usedMs(subject: string): number {
    const now = this.nowMs();
    const turns = [...this.turns].filter(({ owner }) => owner.subject === subject);
    return turns.reduce((sum, { since }) => sum + now - since, this.time.of(subject));
  }
}

interface Use {
  readonly subject: string;
  readonly ms: number;
  readonly until: number;
}

const WINDOW_MS = 60_000;

/** The decoder time that each subject has used in the last minute. */
class DecoderTime {
  /** The oldest first. */
  private readonly uses: Use[] = [];
  private readonly sums = new Map<string, number>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  add(subject: string, ms: number): void {
    this.uses.push({ subject, ms, until: this.nowMs() + WINDOW_MS });
    this.sums.set(subject, this.of(subject) + ms);
  }

  /** In ms. */
  of(subject: string): number {
    this.forget();
    return this.sums.get(subject) ?? 0;
  }

  private forget(): void {
    const now = this.nowMs();
    for (let use = this.uses[0]; use !== undefined && use.until <= now; use = this.uses[0]) {
      this.uses.shift();
      const left = (this.sums.get(use.subject) ?? 0) - use.ms;
      // Rounding may leave a little of the last use.
      if (left > 1e-6) this.sums.set(use.subject, left);
      else this.sums.delete(use.subject);
    }
  }
}
