import { AsyncLocalStorage } from 'node:async_hooks';
import { ManualClock } from './manual-clock.ts';

/** The part of Node's that the code under test uses. */
interface Timer {
  at: number;
  readonly run: () => void;
  refresh(): void;
  unref(): Timer;
}

const simulated = new AsyncLocalStorage<VirtualTimers>();

/** Time stands still between the steps of a simulation. */
export class VirtualTimers {
  #elapsed = 0;
  readonly #timers = new Set<Timer>();

  constructor(private readonly clock: ManualClock = new ManualClock()) {}

  /** Ms since the beginning; unlike the clock it is never set. */
  get elapsed(): number {
    return this.#elapsed;
  }

  get size(): number {
    return this.#timers.size;
  }

  after(ms: number, run: () => void): Timer {
    const refresh = (): void => {
      timer.at = this.#elapsed + ms;
      this.#timers.add(timer);
    };
    const timer: Timer = { at: 0, run, refresh, unref: () => timer };
    refresh();
    return timer;
  }

  cancel(timer: Timer): void {
    this.#timers.delete(timer);
  }

  pass(ms: number): void {
    this.#elapsed += ms;
    this.clock.advance(ms);
    for (const timer of this.#timers) if (timer.at <= this.#elapsed) this.#fire(timer);
  }

  /** `false` if there is none. */
  fireNext(): boolean {
    const [next] = [...this.#timers].toSorted((a, b) => a.at - b.at);
    if (next === undefined) return false;
    this.pass(Math.max(0, next.at - this.#elapsed));
    return true;
  }

  /** Use cases that wait for a time-out wait for these timers. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    const { setTimeout, clearTimeout } = globalThis;
    const realNow = performance.now.bind(performance);
    // What other tests of this process have left behind has real timers.
    const isOwn = (): boolean => simulated.getStore() === this;
    const after = (run: () => void, ms = 0): unknown => (isOwn() ? this.after(ms, run) : setTimeout(run, ms));
    globalThis.setTimeout = after as typeof setTimeout;
    const cancel = (timer: Timer & NodeJS.Timeout): void =>
      isOwn() ? this.cancel(timer) : clearTimeout(timer);
    globalThis.clearTimeout = cancel as unknown as typeof clearTimeout;
    performance.now = () => (isOwn() ? this.#elapsed : realNow());
    try {
      return await simulated.run(this, work);
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
      // The one of the prototype is back.
      Reflect.deleteProperty(performance, 'now');
    }
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    timer.run();
  }
}
