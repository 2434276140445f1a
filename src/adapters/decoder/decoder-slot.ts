import type { EventLog } from '../../domain/ports/event-log.ts';
import { DecoderProcess, type DecoderProgram } from './decoder-process.ts';

/** Between attempts to start a program that does not start. */
const RESTART_MS = 1_000;

/** Beyond this, a fresh process costs less than the memory that the libraries keep. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Keeps one decoder running: starts another when it ends. */
export class DecoderSlot {
  private decoder: Promise<DecoderProcess> | undefined;
  private running: DecoderProcess | undefined;
  private isStopped = false;
  private restart: NodeJS.Timeout | undefined;
  private endedCpuSeconds = 0;

  constructor(
    private readonly program: DecoderProgram,
    private readonly log: EventLog,
  ) {}

  /** Whether a job would begin at once. */
  get isReady(): boolean {
    return this.running !== undefined && this.running.whyEnded === undefined;
  }

  /** CPU time of all its processes. */
  get cpuSeconds(): number {
    return this.endedCpuSeconds + (this.running?.cpuSeconds ?? 0);
  }

  enforceBounds(): void {
    this.running?.enforceBounds();
  }

  /**
   * Starts a decoder if there is none.
   *
   * @throws if the program does not start
   */
  async current(): Promise<DecoderProcess> {
    if (this.isStopped) throw new Error('The decoders are stopped');
    this.decoder ??= this.start();
    const decoder = await this.decoder;
    if (decoder.whyEnded === undefined) return decoder;
    await decoder.ended;
    return await this.current();
  }

  /** Ends a decoder that has kept too much memory. To be called between two jobs. */
  renew(): void {
    if (this.running !== undefined && this.running.keptBytes > MAX_KEPT_BYTES) this.running.end('cancelled');
  }

  /** Resolves when no process is left. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.restart);
    this.running?.end('cancelled');
    const decoder = await this.decoder?.catch(() => undefined);
    decoder?.end('cancelled');
    await decoder?.ended;
  }

  private async start(): Promise<DecoderProcess> {
    try {
      const decoder = await DecoderProcess.start(this.program);
      this.running = decoder;
      void decoder.ended.then((words) => this.replace(decoder, words));
      return decoder;
    } catch (error) {
      this.log.warn({ err: error }, 'decoder not started');
      // Until then requests fail with this error.
      this.restart = setTimeout(() => this.keepRunning(), RESTART_MS).unref();
      throw error;
    }
  }

  private replace(decoder: DecoderProcess, words: string): void {
    this.endedCpuSeconds += decoder.cpuSeconds;
    this.running = undefined;
    const { whyEnded } = decoder;
    if (whyEnded === 'crash' || whyEnded === 'signal') this.log.warn({ words }, 'decoder process ended');
    this.keepRunning();
  }

  /** A failure is logged, and tried again. */
  private keepRunning(): void {
    this.decoder = undefined;
    if (!this.isStopped) this.current().catch(() => undefined);
  }
}
