import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { DecoderProcess } from './decoder-process.ts';
import { MAX_KEPT_BYTES } from './idle-bounds.ts';

/** Between attempts to start a program that does not start. */
const RESTART_MS = 1_000;

/** Attempts in a row after which jobs do not wait for the next one. */
const MAX_FAILED_STARTS = 3;

/** Keeps one decoder running: starts another when it ends, and each second while it does not start. */
export class DecoderSlot {
  private starting: Promise<DecoderProcess> | undefined;
  private running: DecoderProcess | undefined;
  private failedStarts = 0;
  private isStopped = false;
  private cancelRestart = (): void => {};
  private endedCpuSeconds = 0;

  /** @param onChange called when a decoder has started, or has not */
  constructor(
    private readonly startDecoder: () => Promise<DecoderProcess>,
    private readonly log: EventLog,
    private readonly timer: Timer,
    private readonly onChange: () => void,
  ) {}

  /** `undefined` while none runs. */
  get decoder(): DecoderProcess | undefined {
    return this.running?.whyEnded === undefined ? this.running : undefined;
  }

  /** Its decoder has not started, and the next attempt has not succeeded yet. */
  get isFailing(): boolean {
    return this.failedStarts > 0;
  }

  /** Several attempts have failed. */
  get isLost(): boolean {
    return this.failedStarts >= MAX_FAILED_STARTS;
  }

  /** CPU time of all its processes. */
  get cpuSeconds(): number {
    return this.endedCpuSeconds + (this.running?.cpuSeconds ?? 0);
  }

  /**
   * Starts a decoder if none runs or starts.
   *
   * @throws if this attempt fails; others follow
   */
  async start(): Promise<DecoderProcess> {
    if (this.isStopped) throw new Error('The decoders are stopped');
    this.starting ??= this.attempt();
    return await this.starting;
  }

  /** Ends a decoder that has kept too much memory. To be called between two jobs. */
  renew(): void {
    if (this.running !== undefined && this.running.keptBytes > MAX_KEPT_BYTES) this.running.end('cancelled');
  }

  /** Resolves when no process is left. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancelRestart();
    this.running?.end('cancelled');
    const decoder = await this.starting?.catch(() => undefined);
    decoder?.end('cancelled');
    await decoder?.ended;
  }

  private async attempt(): Promise<DecoderProcess> {
    try {
      const decoder = await this.startDecoder();
      this.running = decoder;
      this.failedStarts = 0;
      void decoder.ended.then((words) => this.replace(decoder, words));
      return decoder;
    } catch (error) {
      this.log.warn({ err: error }, 'decoder not started');
      this.failedStarts += 1;
      if (!this.isStopped) this.cancelRestart = this.timer(RESTART_MS, () => this.restart());
      throw error;
    } finally {
      this.onChange();
    }
  }

  private replace(decoder: DecoderProcess, words: string): void {
    this.endedCpuSeconds += decoder.cpuSeconds;
    this.running = undefined;
    const { whyEnded } = decoder;
    if (whyEnded === 'crash' || whyEnded === 'signal') this.log.warn({ words }, 'decoder process ended');
    this.restart();
  }

  /** A failure is logged, and tried again. */
  private restart(): void {
    this.starting = undefined;
    if (!this.isStopped) this.start().catch(() => undefined);
  }
}
