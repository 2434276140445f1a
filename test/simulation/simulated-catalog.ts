import { once } from 'node:events';
import { DomainError, StorageUnavailable } from '../../src/domain/errors.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { ManualClock } from '../support/time/manual-clock.ts';
import { type CatalogProcess, catalogProcess, type Surroundings } from './catalog-process.ts';
import type { KeptExport } from './kept-export.ts';
import { type HeldTicket, Ledger } from './ledger.ts';
import { type Mischief, PortCalls } from './port-calls.ts';
import { Random } from './random.ts';
import type { Schedule } from './schedule.ts';
import { type Owner, ProcessEnded, Scheduler } from './scheduler.ts';
import { CountedSecrets, Storage } from './storage.ts';

export type Outcome<T> =
  | { readonly state: 'done'; readonly value: T }
  /** The contract says what this means. */
  | { readonly state: 'refused'; readonly code: string }
  /** The client cannot know what has happened. */
  | { readonly state: 'unknown' };

const PAUSE_MS = 20;

/** The client does not wait for the response. */
export class ClientLeft extends ProcessEnded {}

class Life implements Owner {
  isGone = false;

  constructor(readonly name: string) {}
}

/** Processes over one storage, and what their clients know. */
export class SimulatedCatalog implements Mischief {
  readonly clock = new ManualClock();
  readonly ledger = new Ledger();
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly calls: PortCalls;
  readonly storage: Storage;
  /** Of a transfer. */
  target: Storage;
  /** By client and space. */
  readonly exports = new Map<string, KeptExport>();
  /** By space and name. */
  readonly tickets = new Map<string, HeldTicket>();
  readonly #addressSeal = new CountedSecrets();
  readonly #uuids = new SequentialUuids();
  readonly #places = new Map<number, CatalogProcess>();
  readonly #ended = new Set<string>();
  #started = 0;
  /** Of the last attempt that ended. */
  lastOutcome: string | undefined;
  /** A process was ended beside its work after all requests. */
  hasKilled = false;

  constructor(
    readonly schedule: Schedule,
    keepsTrace = false,
  ) {
    const { seed, stickiness, isOnOneMachine, faults } = schedule;
    this.random = new Random(~seed);
    this.scheduler = new Scheduler(this.clock, { random: this.random, stickiness }, keepsTrace);
    const processes = {
      isGone: (name: string) => isOnOneMachine && this.#ended.has(name),
      isRunning: (name: string) => isOnOneMachine && !this.#ended.has(name),
    };
    this.calls = new PortCalls(this.scheduler, this.random, this, processes, faults);
    this.storage = new Storage(this.clock, this.calls, 'catalog');
    this.target = this.emptyStorage();
  }

  emptyStorage(): Storage {
    return new Storage(this.clock, this.calls, 'another catalog');
  }

  get running(): readonly CatalogProcess[] {
    return [...this.#places.values()].filter(({ owner }) => !owner.isGone);
  }

  /** The process in this place; one that has ended is started again. */
  process(place: number): CatalogProcess {
    const index = place % this.schedule.processes;
    const running = this.#places.get(index);
    if (running !== undefined && !running.owner.isGone) return running;
    const started = this.start();
    this.#places.set(index, started);
    return started;
  }

  /** With ports that fail as the schedule says. */
  start(): CatalogProcess {
    this.#started += 1;
    const owner = new Life(`process-${this.#started}`);
    return catalogProcess(owner, this.storage, {
      ...this.#surroundings(),
      portOf: (name, port) => this.calls.of(owner, name, port),
      pause: (stopping) => this.#pause(owner, stopping),
    });
  }

  /** A process after all others, whose calls do not fail. */
  startUndisturbed(storage = this.storage): CatalogProcess {
    return catalogProcess(new Life('undisturbed'), storage, this.#surroundings());
  }

  /** Never rejects: what waits in an ended process waits until it is told to stop. */
  async #pause(owner: Owner, stopping: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => void this.scheduler.timers.after(PAUSE_MS, resolve));
    if (owner.isGone && !stopping.aborted) await once(stopping, 'abort');
  }

  #surroundings(): Surroundings {
    return {
      uuids: this.#uuids,
      addressSeal: this.#addressSeal,
      portOf: (_, port) => port,
      pause: async () => {},
    };
  }

  end(owner: Owner): void {
    (owner as Life).isGone = true;
    this.#ended.add(owner.name);
    this.scheduler.end(owner);
  }

  cutPower(): void {
    for (const { owner } of this.running) this.end(owner);
    for (const storage of [this.storage, this.target]) storage.loseUnsynced(() => this.random.chance(0.5));
  }

  passTime(ms: number): void {
    this.scheduler.timers.pass(ms);
  }

  /** As an operator does who sets it. */
  moveClock(ms: number): void {
    this.clock.advance(ms);
  }

  /** What the work means to a client. Everything else is a bug: a 500. */
  async attempt<T>(work: () => Promise<T>): Promise<Outcome<T>> {
    const outcome = await this.#outcomeOf(work);
    this.lastOutcome = outcome.state === 'refused' ? outcome.code : outcome.state;
    return outcome;
  }

  async #outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
    try {
      return { state: 'done', value: await work() };
    } catch (thrown) {
      const error = lastErrorOf(thrown);
      if (error instanceof ProcessEnded || error instanceof StorageUnavailable) return { state: 'unknown' };
      if (error instanceof DomainError) return { state: 'refused', code: error.code };
      throw thrown;
    }
  }
}

/** In a process that has ended, what disposes of files and slots fails as well; the platform then throws both errors as one. */
function lastErrorOf(thrown: unknown): unknown {
  const { name, error } = thrown as { readonly name?: string; readonly error?: unknown };
  return name === 'SuppressedError' ? lastErrorOf(error) : thrown;
}
