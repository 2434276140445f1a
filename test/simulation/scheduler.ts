import { settled } from '../support/time/gate.ts';
import type { ManualClock } from '../support/time/manual-clock.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';
import type { Random } from './random.ts';

/** What a task belongs to: it goes no further when its process has ended. */
export interface Owner {
  readonly name: string;
  readonly isGone: boolean;
}

/** Rejects every call of an ended process, so that its code unwinds without an effect. */
export class ProcessEnded extends Error {}

/** All tasks wait for something that never comes. */
export class Stuck extends Error {}

interface Waiting {
  readonly owner: Owner | undefined;
  readonly what: string;
  readonly resume: () => void;
  readonly reject: (error: Error) => void;
  /** Goes on when nothing else can. */
  readonly isStalled: boolean;
}

/** How tasks are chosen. */
export interface Choices {
  readonly random: Random;
  /** Probability that the task goes on that has waited for the shortest time. */
  readonly stickiness: number;
}

const MAX_STEPS = 20_000;
/** Of a step: a time-out comes although other tasks could go on. */
const TIMEOUT_CHANCE = 0.02;
const STEP_MS = 5;

/**
 * Runs tasks one step at a time. A task waits at `reach` until it is chosen, then goes on until all promises have settled that
 * depend on no other choice. There is no other source of order: the same choices give the same run.
 */
export class Scheduler {
  /** Calls of ports so far. */
  requests = 0;
  steps = 0;
  /** Of the order of all steps. */
  hash = 0x811c9dc5;
  readonly trace: string[] = [];
  readonly timers: VirtualTimers;
  readonly #waiting: Waiting[] = [];

  constructor(
    clock: ManualClock,
    private readonly choices: Choices,
    private readonly keepsTrace: boolean,
  ) {
    this.timers = new VirtualTimers(clock);
  }

  /** Resolves when the task is chosen; rejects if its process has ended. */
  async reach(owner: Owner | undefined, what: string, isStalled = false): Promise<void> {
    if (owner?.isGone === true) throw new ProcessEnded();
    await new Promise<void>((resume, reject) => {
      this.#waiting.push({ owner, what, resume, reject, isStalled });
    });
  }

  /** Ends what waits in the process. */
  end(owner: Owner): void {
    for (const waiting of this.#waiting.filter((one) => one.owner === owner)) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.reject(new ProcessEnded());
    }
  }

  note(line: string): void {
    if (this.keepsTrace) this.trace.push(line);
    for (let index = 0; index < line.length; index += 1) {
      this.hash = Math.imul(this.hash ^ line.charCodeAt(index), 0x01000193);
    }
  }

  /** Runs until the work has ended and nothing waits any more. Rejects with its error, or with `Stuck`. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    return await this.timers.use(async () => {
      const state = { isEnded: false };
      const result = work().finally(() => {
        state.isEnded = true;
      });
      result.catch(() => undefined);
      for (await settled(); !state.isEnded || this.#waiting.length > 0; await settled()) this.#step();
      return await result;
    });
  }

  #step(): void {
    this.steps += 1;
    if (this.steps > MAX_STEPS) throw new Stuck(`more than ${MAX_STEPS} steps`);
    const next = this.#choose();
    if (next === undefined || (this.timers.size > 0 && this.choices.random.chance(TIMEOUT_CHANCE))) {
      if (!this.timers.fireNext() && next === undefined) throw new Stuck('all tasks wait for each other');
      this.note('time passes');
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.timers.pass(STEP_MS);
    this.note(next.owner === undefined ? next.what : `${next.owner.name} ${next.what}`);
    next.resume();
  }

  #choose(): Waiting | undefined {
    const { random, stickiness } = this.choices;
    const free = this.#waiting.filter(({ isStalled }) => !isStalled);
    if (free.length === 0) return this.#waiting.length === 0 ? undefined : random.pick(this.#waiting);
    return random.chance(stickiness) ? free.at(-1) : random.pick(free);
  }
}
