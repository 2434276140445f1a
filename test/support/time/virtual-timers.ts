import { AsyncLocalStorage } from 'node:async_hooks';
import { ManualClock } from './manual-clock.ts';

function beginOfAll(timers: VirtualTimers): () => void {
  const end = begin();
  ofAll = timers;
  return () => {
    ofAll = undefined;
    end();
  };
}

/** The part of Node's that the code under test uses. */
class VirtualTimer {
  at = 0;

  constructor(
    private readonly timers: VirtualTimers,
    private readonly ms: number,
    readonly run: () => void,
  ) {
    this.refresh();
  }

  refresh(): void {
    this.at = this.timers.elapsed + this.ms;
    this.timers.add(this);
  }

  unref(): this {
    return this;
  }

  cancel(): void {
    this.timers.remove(this);
  }
}

const simulated = new AsyncLocalStorage<VirtualTimers>();
let ofAll: VirtualTimers | undefined;
let uses = 0;
let restore = (): void => {};

function current(): VirtualTimers | undefined {
  return simulated.getStore() ?? ofAll;
}

/** Returns what ends the use. */
function begin(): () => void {
  if (uses === 0) restore = replaceTimers();
  uses += 1;
  return () => {
    uses -= 1;
    if (uses === 0) restore();
  };
}

/** Time stands still between the steps of a simulation. */
export class VirtualTimers {
  #elapsed = 0;
  readonly #timers = new Set<VirtualTimer>();

  constructor(private readonly clock: ManualClock = new ManualClock()) {}

  /** Ms since the beginning; unlike the clock it is never set. */
  get elapsed(): number {
    return this.#elapsed;
  }

  get size(): number {
    return this.#timers.size;
  }

  after(ms: number, run: () => void): VirtualTimer {
    return new VirtualTimer(this, ms, run);
  }

  add(timer: VirtualTimer): void {
    this.#timers.add(timer);
  }

  remove(timer: VirtualTimer): void {
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

  /** What the work waits for are these timers. Other work of the process has real ones. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    const end = begin();
    try {
      return await simulated.run(this, work);
    } finally {
      end();
    }
  }

  /** As `use`, for all work of the process, also what a server does for a client. Returns what ends it. */
  useEverywhere(): () => void {
    return beginOfAll(this);
  }

  #fire(timer: VirtualTimer): void {
    this.#timers.delete(timer);
    timer.run();
  }
}

/** Returns what puts the real ones back. */
function replaceTimers(): () => void {
  const { setTimeout, clearTimeout } = globalThis;
  const timeout = Reflect.get(AbortSignal, 'timeout');
  const realNow = performance.now.bind(performance);
  // `fetch` of Node passes arguments.
  const after = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown =>
    current()?.after(ms, () => run(...args)) ?? setTimeout(run, ms, ...args);
  globalThis.setTimeout = after as typeof setTimeout;
  const cancel = (timer?: NodeJS.Timeout): void =>
    timer instanceof VirtualTimer ? timer.cancel() : clearTimeout(timer);
  globalThis.clearTimeout = cancel as typeof clearTimeout;
  performance.now = () => current()?.elapsed ?? realNow();
  AbortSignal.timeout = (ms) => {
    const timers = current();
    return timers === undefined ? timeout.call(AbortSignal, ms) : abortedAfter(timers, ms);
  };
  return () => {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    AbortSignal.timeout = timeout;
    // The one of the prototype is back.
    Reflect.deleteProperty(performance, 'now');
  };
}

function abortedAfter(timers: VirtualTimers, ms: number): AbortSignal {
  const controller = new AbortController();
  timers.after(ms, () => controller.abort(new DOMException('The time is over', 'TimeoutError')));
  return controller.signal;
}
