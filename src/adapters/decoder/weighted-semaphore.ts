import type { Cancellation } from '../../domain/ports/cancellation.ts';

interface Waiter {
  readonly weight: number;
  readonly admit: () => void;
}

/** Admits holders, in order of arrival, while their weights fit the capacity. */
export class WeightedSemaphore {
  private readonly waiters: Waiter[] = [];
  /** The oldest first. */
  private readonly loans = new Set<() => void>();
  private taken = 0;

  constructor(readonly capacity: number) {}

  get held(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.waiters.length;
  }

  isFree(weight: number): boolean {
    return this.waiters.length === 0 && this.taken + weight <= this.capacity;
  }

  /**
   * @param weight at most the capacity
   * @returns function to release it
   * @throws the reason of `signal`
   */
  async acquire(weight: number, signal: Cancellation): Promise<() => void> {
    for (const reclaim of this.loans) if (!this.isFree(weight)) reclaim();
    if (this.isFree(weight)) this.taken += weight;
    else await this.wait(weight, signal);
    return () => this.release(weight);
  }

  /**
   * Lends weight that is free, until a holder needs it: nothing ever waits for a loan.
   *
   * @param reclaim called if a holder needs the weight; ends the loan
   * @returns function to end it; `undefined` if the weight is not free
   */
  lend(weight: number, reclaim: () => void): (() => void) | undefined {
    if (!this.isFree(weight)) return undefined;
    this.taken += weight;
    this.loans.add(reclaim);
    return () => {
      if (this.loans.delete(reclaim)) this.release(weight);
    };
  }

  /**
   * Adds to what a holder has, in front of those that wait.
   *
   * @returns function to release it; `undefined` if the weight is not free
   */
  grow(weight: number): (() => void) | undefined {
    for (const reclaim of this.loans) if (this.taken + weight > this.capacity) reclaim();
    if (this.taken + weight > this.capacity) return undefined;
    this.taken += weight;
    return () => this.release(weight);
  }

  private release(weight: number): void {
    this.taken -= weight;
    this.admitNext();
  }

  private async wait(weight: number, signal: Cancellation): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const cancel = (): void => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        reject(signal.reason);
        this.admitNext();
      };
      const admit = (): void => {
        signal.removeEventListener('abort', cancel);
        this.taken += weight;
        resolve();
      };
      const waiter = { weight, admit };
      this.waiters.push(waiter);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Else light waiters could overtake a heavy one for ever. */
  private admitNext(): void {
    for (;;) {
      const [next] = this.waiters;
      if (next === undefined || this.taken + next.weight > this.capacity) return;
      this.waiters.shift();
      next.admit();
    }
  }
}
