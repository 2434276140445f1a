import type { Cancellation } from '../../domain/ports/process/cancellation.ts';

interface Waiter {
  readonly weight: number;
  readonly admit: () => void;
}

/** Admits holders, in order of arrival, while their weights fit the capacity. */
export class WeightedSemaphore {
  private readonly waiters: Waiter[] = [];
  /** What drops each of the things that are held while there is room. The oldest first. */
  private readonly drops = new Set<() => void>();
  private taken = 0;

  constructor(readonly capacity: number) {}

  get held(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.waiters.length;
  }

  isFree(weight: number): boolean {
    return this.waiters.length === 0 && this.fits(weight);
  }

  /**
   * @param weight at most the capacity
   * @returns function to release it
   * @throws the reason of `signal`
   */
  async acquire(weight: number, signal: Cancellation): Promise<() => void> {
    for (const drop of this.drops) if (!this.isFree(weight)) drop();
    if (this.isFree(weight)) this.taken += weight;
    else await this.wait(weight, signal);
    return () => this.release(weight);
  }

  /**
   * Holds weight that is free, until something else needs it: nothing ever waits for it.
   *
   * @param drop called if the weight is needed; releases it
   * @returns function to release it; `undefined` if the weight is not free
   */
  hold(weight: number, drop: () => void): (() => void) | undefined {
    if (!this.isFree(weight)) return undefined;
    this.taken += weight;
    this.drops.add(drop);
    return () => {
      if (this.drops.delete(drop)) this.release(weight);
    };
  }

  /**
   * Adds to what a holder has, in front of those that wait.
   *
   * @returns function to release it; `undefined` if the weight is not free
   */
  grow(weight: number): (() => void) | undefined {
    for (const drop of this.drops) if (!this.fits(weight)) drop();
    if (!this.fits(weight)) return undefined;
    this.taken += weight;
    return () => this.release(weight);
  }

  private fits(weight: number): boolean {
    return this.taken + weight <= this.capacity;
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
    for (let [next] = this.waiters; next !== undefined && this.fits(next.weight); [next] = this.waiters) {
      this.waiters.shift();
      next.admit();
    }
  }
}
