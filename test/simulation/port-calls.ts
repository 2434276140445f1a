import { Overloaded, StorageUnavailable } from '../../src/domain/errors.ts';
import { FileUnreadable } from '../../src/domain/ports/commands/import-source.ts';
import type { Call, Calls } from '../support/doubles/calls.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import type { Random } from './random.ts';
import { type Owner, ProcessEnded, type Scheduler } from './scheduler.ts';

export const FAULT_KINDS = [
  /** The call fails without an effect. */
  'error',
  /** It has its effect, and its response is lost. */
  'lost',
  /** Without an effect; it fails at a time-out. */
  'hang',
  /** It fails at a time-out, and has its effect earlier or later, or not. */
  'late',
  /** The process ends before the effect. */
  'death',
  /** The process ends; what it has begun is done, undone, or left in part. */
  'death after',
  /** Every process ends, and what is not durable may be lost. */
  'power cut',
  /** The call goes on when nothing else can. */
  'stall',
  'clock ahead',
  'clock back',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** At a call of a port, counted from 1 in the order of the run. */
export interface Fault {
  readonly at: number;
  readonly kind: FaultKind;
}

export interface Injected {
  readonly process: Owner;
  readonly call: string;
  readonly kind: FaultKind;
}

/** Faults that are more than an error of the call. */
export interface Mischief {
  end(process: Owner): void;
  cutPower(): void;
  moveClock(ms: number): void;
}

const TIME_OUT_MS = 30_000;
const MINUTE_MS = 60_000;
const CLOCK_JUMPS_MS = { 'clock ahead': 61 * MINUTE_MS, 'clock back': -10 * MINUTE_MS } as const;
/** Of a response that waits after its effect. */
const HELD_CHANCE = 0.2;

/** These return async generators. */
const ITERATIONS = new Set(['list', 'listImages', 'readRecords', 'walk', 'read']);
/** These never reject, except in a process that has ended. */
const UNFAILING = new Set(['folder.walk', 'discard', 'staging.receive.discard', 'blobs.open.close']);

interface Context {
  readonly owner: Owner;
  readonly name: string;
  /** Its caller has given up. */
  isDetached: boolean;
}

/** Every call of a port is a point at which another task may go on, or a fault happens. */
export class PortCalls implements Calls {
  readonly injected: Injected[] = [];
  readonly #faults: ReadonlyMap<number, FaultKind>;
  /** While a call begins. */
  #beginning: Context | undefined;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly random: Random,
    private readonly mischief: Mischief,
    private readonly processes: Pick<Calls, 'isGone' | 'isRunning'>,
    faults: readonly Fault[],
  ) {
    this.#faults = new Map(faults.map(({ at, kind }) => [at, kind]));
  }

  /** The port as the process has it. */
  of<Port extends object>(owner: Owner, name: string, port: Port): Port {
    return intercepted(port, (method, proceed) => {
      const call = `${name}.${method}`;
      return ITERATIONS.has(method)
        ? this.#iterate(owner, call, proceed)
        : this.#call(owner, call, proceed).then((result) => this.#resultOf(owner, call, result));
    });
  }

  begin(): Call {
    const context = this.#beginning;
    return {
      process: context?.owner.name ?? 'outside',
      reach: async (moment) => await (context === undefined ? undefined : this.#reach(context, moment)),
    };
  }

  isGone(process: string): boolean {
    return this.processes.isGone(process);
  }

  isRunning(process: string): boolean {
    return this.processes.isRunning(process);
  }

  async #call(owner: Owner, name: string, proceed: () => unknown): Promise<unknown> {
    await this.scheduler.reach(owner, name);
    this.scheduler.requests += 1;
    const kind = this.#faultOf(name);
    if (kind !== undefined) {
      this.injected.push({ process: owner, call: name, kind });
      this.scheduler.note(`${kind} at ${name}`);
      await this.#fail(kind, { owner, name, isDetached: false }, proceed);
    }
    const result = await this.#begin({ owner, name, isDetached: false }, proceed);
    if (this.random.chance(HELD_CHANCE)) await this.scheduler.reach(owner, `${name} responds`);
    if (owner.isGone) throw new ProcessEnded();
    return result;
  }

  #faultOf(name: string): FaultKind | undefined {
    const kind = this.#faults.get(this.scheduler.requests);
    const isError = kind === 'error' || kind === 'lost' || kind === 'hang' || kind === 'late';
    return isError && [...UNFAILING].some((unfailing) => name.endsWith(unfailing)) ? undefined : kind;
  }

  /** Resolves if the call goes on. */
  async #fail(kind: FaultKind, context: Context, proceed: () => unknown): Promise<void> {
    const { owner, name } = context;
    switch (kind) {
      case 'error':
        throw failureOf(name);
      case 'lost':
        await this.#begin(context, proceed);
        throw failureOf(name);
      case 'late':
        this.#detach(context, proceed);
        return await this.#timeOut(context);
      case 'hang':
        return await this.#timeOut(context);
      case 'death after':
        this.#detach(context, proceed);
        this.mischief.end(owner);
        throw new ProcessEnded();
      case 'death':
        this.mischief.end(owner);
        throw new ProcessEnded();
      case 'power cut':
        this.mischief.cutPower();
        throw new ProcessEnded();
      case 'stall':
        return await this.scheduler.reach(owner, `${name} after a stall`, true);
      case 'clock ahead':
      case 'clock back':
        this.mischief.moveClock(CLOCK_JUMPS_MS[kind]);
    }
  }

  async #timeOut({ owner, name }: Context): Promise<never> {
    await new Promise<void>((resolve) => void this.scheduler.timers.after(TIME_OUT_MS, resolve));
    throw owner.isGone ? new ProcessEnded() : failureOf(name);
  }

  #detach(context: Context, proceed: () => unknown): void {
    context.isDetached = true;
    this.#begin(context, proceed).catch(() => undefined);
  }

  /** The adapter learns its caller from `begin`. */
  async #begin(context: Context, proceed: () => unknown): Promise<unknown> {
    this.#beginning = context;
    try {
      return proceed();
    } finally {
      this.#beginning = undefined;
    }
  }

  /** A moment inside of an adapter's call. The end of its process may come too late to stop it. */
  async #reach(context: Context, moment: string): Promise<void> {
    const what = `${context.name}: ${moment}`;
    if (!context.isDetached) {
      try {
        return await this.scheduler.reach(context.owner, what);
      } catch (error) {
        if (this.random.chance(0.5)) throw error;
      }
    }
    await this.scheduler.reach(undefined, `${what} later`);
    if (this.random.chance(0.5)) throw new StorageUnavailable();
  }

  async *#iterate(
    owner: Owner,
    name: string,
    proceed: () => unknown,
  ): AsyncGenerator<unknown, void, undefined> {
    const iterator = (proceed() as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = (await this.#call(owner, name, () => iterator.next())) as IteratorResult<unknown>;
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  /** What is read later is called through the process as well. */
  #resultOf(owner: Owner, name: string, result: unknown): unknown {
    const isReadLater = typeof result === 'object' && result !== null && 'read' in result;
    return isReadLater ? this.of(owner, name, result) : result;
  }
}

function failureOf(name: string): Error {
  const cause = new Error(`injected at ${name}`);
  if (name.startsWith('inspector.') || name.startsWith('maker.')) return new Overloaded('decoder_wait');
  if (name.startsWith('folder.')) return new FileUnreadable('EIO', { cause });
  return new StorageUnavailable({ cause });
}
