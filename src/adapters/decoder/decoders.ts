import { setMaxListeners } from 'node:events';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { Admission, Claim, Grant } from './admission.ts';
import { DecoderEnded } from './decoder-ended.ts';
import type { DecoderProcess } from './decoder-process.ts';
import { MAX_KEPT_BYTES } from './idle-bounds.ts';

export interface DecodersOptions {
  /** Rejects if it does not start, and as soon as `stopped` is aborted. */
  readonly startDecoder: (stopped: AbortSignal) => Promise<DecoderProcess>;
  /** The most processes at a time. */
  readonly slots: number;
  /** How many of them stay without work. One that ends is replaced. */
  readonly kept: number;
  /** Ends what decoders have left behind. Called when one has ended, and once a minute. */
  readonly endStrays?: () => Promise<number>;
}

const WATCH_MS = 20;
const IDLE_WATCH_MS = 1_000;
const MAX_IDLE_SECONDS = 60;
const STRAYS_WATCH_MS = 60_000;

/** After a start that has failed. */
const RESTART_MS = 1_000;

/** Attempts in a row after which jobs do not wait for the next one. */
const MAX_FAILED_STARTS = 3;

/** After this time without a decoder, although one was wanted, the service is not ready. */
const MAX_OUTAGE_MS = 30_000;

/** The decoder processes: started for jobs that wait, watched, and ended after a minute without work. */
export class Decoders {
  private readonly running = new Set<DecoderProcess>();
  private readonly starting = new Set<Promise<DecoderProcess>>();
  /** With the seconds for which each has had no job. The one used last is at the end. */
  private readonly idle = new Map<DecoderProcess, number>();
  private failedStarts = 0;
  private cancelRestart: (() => void) | undefined;
  private cancelWatch: (() => void) | undefined;
  private cancelIdleWatch: (() => void) | undefined;
  private cancelStraysWatch: (() => void) | undefined;
  private cancelOutage: (() => void) | undefined;
  private readonly stopping = new AbortController();
  /** How many have become ready since the start. */
  private ready = 0;
  /** The order in which decoders have become ready. */
  private readonly numbers = new WeakMap<DecoderProcess, number>();
  private readonly readyBeforeExits = new WeakMap<DecoderProcess, number>();
  private isOut = false;
  private endedCpuSeconds = 0;

  constructor(
    private readonly options: DecodersOptions,
    readonly admission: Admission<DecoderProcess>,
    private readonly log: EventLog,
    private readonly timer: Timer,
  ) {
    // Each decoder that starts listens, and there may be more of them than Node.js expects.
    setMaxListeners(0, this.stopping.signal);
  }

  /** How many decoders had become ready when this one exited. */
  readyBeforeExit(decoder: DecoderProcess): number {
    return this.readyBeforeExits.get(decoder) ?? this.ready;
  }

  /** Processes that run. */
  get count(): number {
    return this.running.size;
  }

  /** No decoder has started for 30 s although one was wanted. The end of a decoder during a job does not count. */
  get haveOutage(): boolean {
    return this.isOut;
  }

  /** CPU time of all decoders since the start. */
  get cpuSeconds(): number {
    return [...this.running].reduce((sum, { cpuSeconds }) => sum + cpuSeconds, this.endedCpuSeconds);
  }

  /**
   * Starts a decoder, with a second attempt if the first fails. Resolves when it can decode. If none is to stay, it is ended unless a job
   * comes within a second.
   *
   * @throws if it does not start
   */
  async start(): Promise<DecoderProcess> {
    const decoder = await this.startOne().catch(() => this.startOne());
    if (this.idle.has(decoder)) this.idle.set(decoder, MAX_IDLE_SECONDS);
    return decoder;
  }

  /** Ends all decoders, whatever they do. Resolves when no process is left. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.cancelRestart?.();
    this.cancelOutage?.();
    this.cancelStraysWatch?.();
    this.cancelWatch?.();
    this.cancelIdleWatch?.();
    this.serve();
    this.cancelAll();
    await Promise.allSettled(this.starting);
    this.cancelAll();
    await Promise.all([...this.running].map(({ exit }) => exit));
  }

  /**
   * Waits for a decoder that is ready, and for memory.
   *
   * @throws {DecoderEnded} if no decoder starts
   * @throws {Overloaded} if too many renditions wait
   * @throws the reason of `stopped`
   */
  async acquire(claim: Claim, stopped: Cancellation): Promise<Grant<DecoderProcess>> {
    const granted = this.admission.wait(claim, stopped);
    this.serve();
    try {
      return await granted;
    } catch (error) {
      // Others may have waited for the memory of this job.
      this.serve();
      throw error;
    }
  }

  /**
   * Gives idle decoders to the jobs that wait, and starts others for the rest of them. To be called when memory was released; the rest
   * calls it itself.
   */
  serve(): void {
    this.admission.admit(
      (claim) => [...this.idle.keys()].findLast((decoder) => this.isUsable(decoder, claim)),
      (decoder) => this.take(decoder),
    );
    if (this.isStopped || this.areLost) this.admission.refuseAll(new DecoderEnded('not_started', 0));
    else this.startMissing();
    this.watchOutage();
  }

  private isUsable(decoder: DecoderProcess, { readyAfter = 0 }: Claim): boolean {
    const isFresh = (this.numbers.get(decoder) ?? 0) > readyAfter;
    return decoder.whyEnded === undefined && (isFresh || this.failedStarts > 0);
  }

  /** Returns what puts it back. */
  private take(decoder: DecoderProcess): () => void {
    this.idle.delete(decoder);
    this.watch();
    return () => {
      if (decoder.keptBytes > MAX_KEPT_BYTES) decoder.cancel('cancelled');
      if (decoder.whyEnded === undefined) this.idle.set(decoder, 0);
      this.serve();
    };
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** To be called after each change of what runs, starts and waits. An outage lasts until a decoder has started. */
  private watchOutage(): void {
    if (this.running.size === 0 && !this.isStopped && (this.isOut || this.isStartWanted)) {
      this.cancelOutage ??= this.timer(MAX_OUTAGE_MS, () => {
        this.isOut = true;
      });
      return;
    }
    this.cancelOutage?.();
    this.cancelOutage = undefined;
    this.isOut = false;
  }

  private get isStartWanted(): boolean {
    return this.starting.size > 0 || this.areLost || this.missing > 0;
  }

  private get areLost(): boolean {
    return this.running.size + this.starting.size === 0 && this.failedStarts >= MAX_FAILED_STARTS;
  }

  /** After a failure only at the next attempt. */
  private startMissing(): void {
    if (this.cancelRestart !== undefined) return;
    for (let count = this.missing; count > 0; count -= 1) this.startOne().catch(() => undefined);
  }

  /** How many more processes `kept` and the jobs need. The jobs that still wait can use no idle decoder, or wait for memory. */
  private get missing(): number {
    const { slots, kept } = this.options;
    const { wanted: waiting } = this.admission;
    const wanted = Math.max(waiting > 0 ? this.running.size + waiting : 0, kept);
    return Math.min(wanted, slots) - this.running.size - this.starting.size;
  }

  private async startOne(): Promise<DecoderProcess> {
    this.stopping.signal.throwIfAborted();
    const starting = this.options.startDecoder(this.stopping.signal);
    this.starting.add(starting);
    this.watchOutage();
    try {
      const decoder = await starting;
      this.starting.delete(starting);
      this.add(decoder);
      return decoder;
    } catch (error) {
      this.starting.delete(starting);
      if (!this.isStopped) this.log.warn({ err: error }, 'decoder not started');
      this.restartLater();
      throw error;
    } finally {
      this.serve();
    }
  }

  private add(decoder: DecoderProcess): void {
    this.failedStarts = 0;
    this.ready += 1;
    this.numbers.set(decoder, this.ready);
    this.running.add(decoder);
    void decoder.exit.then((words) => this.forget(decoder, words));
    this.idle.set(decoder, 0);
    this.watchIdle();
    this.watchStrays();
  }

  /** Starts that fail at the same time are one attempt. */
  private restartLater(): void {
    if (this.isStopped || this.cancelRestart !== undefined) return;
    this.failedStarts += 1;
    this.cancelRestart = this.timer(RESTART_MS, () => {
      this.cancelRestart = undefined;
      // While jobs are refused, or clients go elsewhere, this is what finds out that decoders start again.
      if (this.areLost || this.isOut) this.startOne().catch(() => undefined);
      else this.serve();
    });
  }

  private forget(decoder: DecoderProcess, words: string): void {
    this.endedCpuSeconds += decoder.cpuSeconds;
    this.readyBeforeExits.set(decoder, this.ready);
    this.running.delete(decoder);
    this.idle.delete(decoder);
    const { whyEnded } = decoder;
    if (whyEnded === 'crash' || whyEnded === 'signal') this.log.warn({ words }, 'decoder process ended');
    void this.endStrays();
    this.serve();
  }

  private watch(): void {
    this.cancelWatch ??= this.timer(WATCH_MS, () => {
      this.cancelWatch = undefined;
      const working = [...this.running].filter((decoder) => !this.idle.has(decoder));
      for (const decoder of working) decoder.enforceBounds(false);
      if (working.length > 0) this.watch();
    });
  }

  /** With a timer of its own, which no job puts off. A decoder whose file is being opened is not idle: its end would refuse the job. */
  private watchIdle(): void {
    if (this.isStopped) return;
    this.cancelIdleWatch ??= this.timer(IDLE_WATCH_MS, () => {
      this.cancelIdleWatch = undefined;
      for (const decoder of this.idle.keys()) decoder.enforceBounds(true);
      this.cancelUnused();
      if (this.running.size > 0) this.watchIdle();
    });
  }

  private watchStrays(): void {
    if (this.options.endStrays === undefined || this.isStopped) return;
    this.cancelStraysWatch ??= this.timer(STRAYS_WATCH_MS, () => {
      this.cancelStraysWatch = undefined;
      void this.endStrays();
      if (this.running.size > 0) this.watchStrays();
    });
  }

  private async endStrays(): Promise<void> {
    const strays = (await this.options.endStrays?.()) ?? 0;
    if (strays > 0) this.log.warn({ strays }, 'processes ended that a decoder had left behind');
  }

  /** The decoders that were used last stay. */
  private cancelUnused(): void {
    let surplus = this.running.size - this.options.kept;
    for (const [decoder, seconds] of this.idle) {
      this.idle.set(decoder, seconds + 1);
      if (seconds + 1 < MAX_IDLE_SECONDS || surplus <= 0) continue;
      decoder.cancel('cancelled');
      surplus -= 1;
    }
  }

  private cancelAll(): void {
    for (const decoder of this.running) decoder.cancel('cancelled');
  }
}
