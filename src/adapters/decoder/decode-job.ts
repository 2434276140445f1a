import { buffer } from 'node:stream/consumers';
import type { Frame, Request } from '../../decoder/protocol.ts';
import { Overloaded } from '../../domain/errors.ts';
import type { ReadableBytes } from '../../domain/ports/bytes/readable-bytes.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { DecodeBounds, WeightedSemaphore } from './decode-memory.ts';
import {
  type DecoderEnd,
  DecoderEnded,
  DecoderProcess,
  type DecoderProgram,
  type JobInput,
} from './decoder-process.ts';

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

/** A decode that has run for longer finishes although its client has left. */
const CANCELLABLE_MS = 100;

/** Ends that may have nothing to do with the image. */
const REPEATED: readonly DecoderEnd[] = ['not_started', 'time', 'signal', 'crash'];

export interface DecoderWork<T> {
  readonly request: Request;
  readonly input: JobInput;
  readonly bounds: DecodeBounds;
  /** Throws if the reply is ill-formed: a decoder may be in the hands of the file that it has read. */
  readonly parse: (reply: Frame) => T;
}

/** The work of one decoder for one image. */
export class DecodeJob {
  private readonly releases: (() => void)[] = [];
  private reservedBytes = 0;

  /** @param leaving ends a decode that has begun a moment ago */
  constructor(
    private readonly slot: DecoderSlot,
    private readonly memory: WeightedSemaphore,
    private readonly leaving: Cancellation,
    private readonly onEnded: (ended: DecoderEnded) => void,
  ) {}

  /** @throws the reason of `signal` */
  async reserve(bytes: number, signal: Cancellation): Promise<void> {
    this.releases.push(await this.memory.acquire(bytes, signal));
    this.reservedBytes = bytes;
  }

  /**
   * Repeats the job in a fresh decoder if the first has crashed, or was ended from outside.
   *
   * @throws {DecoderEnded | InputUnreadable | Overloaded} and the reason of `leaving`
   */
  async decode<T>(work: DecoderWork<T>): Promise<T> {
    try {
      return await this.attempt(work);
    } catch (error) {
      if (!(error instanceof DecoderEnded && REPEATED.includes(error.end))) throw error;
      return await this.attempt(work);
    }
  }

  end(): void {
    for (const release of this.releases) release();
    this.slot.renew();
  }

  private async attempt<T>({ request, input, bounds, parse }: DecoderWork<T>): Promise<T> {
    const decoder = await this.decoder();
    this.leaving.throwIfAborted();
    const cancel = (): void => {
      const { jobMs } = decoder;
      if (jobMs !== undefined && jobMs < CANCELLABLE_MS) decoder.end('cancelled');
    };
    this.leaving.addEventListener('abort', cancel, { once: true });
    try {
      const limits = { ...bounds, hasRoom: (usedBytes: number) => this.hasRoom(usedBytes) };
      return parseReply(await decoder.run(request, input, limits), parse, decoder);
    } catch (error) {
      throw error instanceof DecoderEnded ? await this.reasonOf(error, decoder) : error;
    } finally {
      this.leaving.removeEventListener('abort', cancel);
    }
  }

  private async decoder(): Promise<DecoderProcess> {
    try {
      return await this.slot.current();
    } catch (error) {
      throw new DecoderEnded('not_started', 0, { cause: error });
    }
  }

  private async reasonOf(ended: DecoderEnded, decoder: DecoderProcess): Promise<unknown> {
    // The slot has begun to start another one when this resolves.
    await decoder.ended;
    this.onEnded(ended);
    if (ended.end !== 'cancelled') return ended;
    return this.leaving.aborted ? this.leaving.reason : new Overloaded({ cause: ended });
  }

  /** What a job uses beyond its reservation counts as soon as it is seen. */
  private hasRoom(usedBytes: number): boolean {
    const more = usedBytes - this.reservedBytes;
    if (more <= 0) return true;
    const release = this.memory.grow(more);
    if (release === undefined) return false;
    this.releases.push(release);
    this.reservedBytes = usedBytes;
    return true;
  }
}

function parseReply<T>(reply: Frame, parse: (reply: Frame) => T, decoder: DecoderProcess): T {
  try {
    return parse(reply);
  } catch (error) {
    decoder.end('crash');
    throw new DecoderEnded('crash', 0, { cause: error });
  }
}

/** Bytes from a network are read into memory. */
export async function inputOf(file: ReadableBytes): Promise<JobInput> {
  return file.buffered ?? file.localPath ?? (await buffer(file.read()));
}
