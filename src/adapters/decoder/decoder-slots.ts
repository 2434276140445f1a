import { boundedWait } from '../../application/concurrency/bounded-wait.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import { DecoderEnded, type DecoderProcess } from './decoder-process.ts';
import { DecoderSlot } from './decoder-slot.ts';

export interface DecoderSlotsOptions {
  /** Rejects if it does not start. */
  readonly startDecoder: () => Promise<DecoderProcess>;
  readonly places: number;
  /** For a decoder. */
  readonly maxWaitMs: number;
}

interface Waiter {
  readonly admit: (slot: DecoderSlot) => void;
  readonly refuse: (reason: unknown) => void;
}

const WATCH_MS = 20;
const IDLE_WATCH_MS = 1_000;

/** The decoder processes, the watch over them, and jobs that wait for one that is ready. */
export class DecoderSlots {
  private readonly slots: readonly DecoderSlot[];
  private readonly busy = new Set<DecoderSlot>();
  /** The oldest first. */
  private readonly waiters = new Set<Waiter>();
  private cancelWatch: (() => void) | undefined;
  private unwatchedMs = 0;
  private isStopped = false;

  /** @param onChange called when the number of places may have changed */
  constructor(
    private readonly options: DecoderSlotsOptions,
    log: EventLog,
    private readonly timer: Timer,
    private readonly onChange: () => void,
  ) {
    const changed = (): void => this.changed();
    this.slots = Array.from(
      { length: options.places },
      () => new DecoderSlot(options.startDecoder, log, timer, changed),
    );
  }

  /** Jobs at a time. A slot whose decoder does not start is none, unless all are lost: jobs need not wait for that. */
  get places(): number {
    if (this.areLost) return this.slots.length;
    return this.slots.filter((slot) => !slot.isFailing).length;
  }

  /** CPU time of all decoders since the start. */
  get cpuSeconds(): number {
    return this.slots.reduce((sum, slot) => sum + slot.cpuSeconds, 0);
  }

  /**
   * Starts all decoders. Resolves to the first that can decode.
   *
   * @throws if none starts
   */
  async start(): Promise<DecoderProcess> {
    const starting = this.slots.map((slot) => slot.start());
    // The first decoder's error is that of the others.
    return await Promise.any(starting).catch(() => starting[0] as (typeof starting)[number]);
  }

  /** Ends all decoders, whatever they do. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancelWatch?.();
    this.refuseAll();
    await Promise.all(this.slots.map((slot) => slot.stop()));
  }

  /**
   * Waits for a decoder that is ready. If it ends during the work, rejects when it has ended.
   *
   * @throws {DecoderEnded} if no decoder starts
   * @throws {Overloaded} and the reason of `leaving`, and what `work` throws
   */
  async use<T>(leaving: Cancellation, work: (decoder: DecoderProcess) => Promise<T>): Promise<T> {
    const slot = await this.take(leaving);
    const { decoder } = slot;
    try {
      leaving.throwIfAborted();
      if (decoder === undefined) throw new DecoderEnded('signal', 0);
      return await work(decoder);
    } catch (error) {
      if (error instanceof DecoderEnded) await decoder?.ended;
      throw error;
    } finally {
      slot.renew();
      this.busy.delete(slot);
      this.serve();
    }
  }

  private get areLost(): boolean {
    return this.slots.every((slot) => slot.isLost);
  }

  private async take(leaving: Cancellation): Promise<DecoderSlot> {
    const { maxWaitMs: ms } = this.options;
    const wait = boundedWait(this.timer, { ms, ended: leaving, reason: 'decoder_wait' });
    try {
      wait.signal.throwIfAborted();
      return await new Promise((admit, refuse) => {
        const waiter = { admit, refuse };
        wait.signal.addEventListener('abort', () => {
          this.waiters.delete(waiter);
          refuse(wait.signal.reason);
        });
        this.waiters.add(waiter);
        this.serve();
      });
    } finally {
      wait.end();
    }
  }

  private serve(): void {
    for (const waiter of this.waiters) {
      const slot = this.slots.findLast((each) => each.decoder !== undefined && !this.busy.has(each));
      if (slot === undefined) break;
      this.waiters.delete(waiter);
      if (this.busy.size === 0) this.watchAfter(WATCH_MS);
      this.busy.add(slot);
      waiter.admit(slot);
    }
    if (this.areLost || this.isStopped) this.refuseAll();
    else this.startForWaiters();
  }

  private refuseAll(): void {
    for (const { refuse } of this.waiters) refuse(new DecoderEnded('not_started', 0));
    this.waiters.clear();
  }

  /** A slot that fails tries again by itself. */
  private startForWaiters(): void {
    const stopped = this.slots.filter((slot) => slot.decoder === undefined && !slot.isFailing);
    for (const slot of stopped.slice(0, this.waiters.size)) slot.start().catch(() => undefined);
  }

  private changed(): void {
    if (this.cancelWatch === undefined) this.watchAfter(IDLE_WATCH_MS);
    this.serve();
    this.onChange();
  }

  private watchAfter(ms: number): void {
    this.cancelWatch?.();
    if (this.isStopped) return;
    this.cancelWatch = this.timer(ms, () => {
      this.watch(ms);
      this.watchAfter(this.busy.size > 0 ? WATCH_MS : IDLE_WATCH_MS);
    });
  }

  /** Decoders with a job each time, the others once a second. One whose file is being opened is not idle: its end would refuse the job. */
  private watch(passedMs: number): void {
    this.unwatchedMs += passedMs;
    const isIdleWatch = this.unwatchedMs >= IDLE_WATCH_MS;
    if (isIdleWatch) this.unwatchedMs = 0;
    for (const slot of this.slots) slot.decoder?.enforceBounds(isIdleWatch && !this.busy.has(slot));
  }
}
