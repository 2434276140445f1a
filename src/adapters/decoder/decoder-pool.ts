import { LRUCache } from 'lru-cache';
import { type BoundedWait, boundedWait } from '../../application/concurrency/bounded-wait.ts';
import { FairQueue } from '../../application/concurrency/fair-queue.ts';
import { ImageBeyondLimits, InvalidImage, Overloaded } from '../../domain/errors.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { Confinement } from './confinement.ts';
import { DecodeJob, type Decoding } from './decode-job.ts';
import { type DecodeJobOwner, type DecodeLimits, decodePolicy } from './decode-policy.ts';
import { type DecoderEnd, DecoderEnded } from './decoder-ended.ts';
import { DecoderTime } from './decoder-time.ts';
import { Decoders, type DecodersOptions } from './decoders.ts';
import { FileRefused } from './file-refused.ts';
import type { WeightedSemaphore } from './weighted-semaphore.ts';

export interface DecoderPoolOptions extends DecodeLimits, DecodersOptions {
  /** The time for which a job waits for a turn and for memory, and in between for a decoder. */
  readonly maxWaitMs: number;
}

export interface ImageJob extends DecodeJobOwner {
  /** Cancels a job that waits, or that has decoded for a moment only. */
  readonly signal: Cancellation;
  readonly mediaType: MediaType;
  readonly sha256: string;
  /** The name of what a rendition job makes; `undefined` for an inspection. */
  readonly derivative?: string | undefined;
  /** For the log; `undefined` for an upload. */
  readonly imageId?: number | undefined;
}

/** The time that a job without a client waits for a decoder. */
const MAX_AHEAD_WAIT_MS = 1_000;

const MAX_REFUSED = 10_000;
const REFUSED_MS = 10 * 60 * 1000;

const EXCESS = {
  cpu: 'takes too much CPU time to decode',
  memory: 'takes too much memory to decode',
} as const;

/** Jobs in decoder processes: which one is next, and what the end of a decoder says about its picture. */
export class DecoderPool {
  readonly queue: FairQueue<DecodeJobOwner>;
  readonly decoders: Decoders;
  /** Why a decoder was ended at a bound. The key says what is refused for ten minutes: see `refusalKey`. */
  private readonly refused = new LRUCache<string, string>({ max: MAX_REFUSED, ttl: REFUSED_MS });
  private readonly ends = new Map<DecoderEnd, number>();
  private readonly time = new DecoderTime();
  private hasDecoded = false;

  constructor(
    private readonly options: DecoderPoolOptions,
    readonly memory: WeightedSemaphore,
    private readonly log: EventLog,
    private readonly timer: Timer,
  ) {
    this.decoders = new Decoders(options, log, timer);
    this.queue = new FairQueue(decodePolicy(options, options.slots, this.time));
  }

  /** Renditions. */
  get maxWaiting(): number {
    return this.options.maxWaiting;
  }

  /** Decoders that ended during a job since the start. */
  ended(why: DecoderEnd): number {
    return this.ends.get(why) ?? 0;
  }

  /**
   * Starts a decoder. Resolves when it can decode.
   *
   * @throws if it does not start
   */
  async start(): Promise<Confinement> {
    const { confinement } = await this.decoders.start();
    this.hasDecoded = true;
    return confinement;
  }

  /** @throws until a decoder has started, which decodes a picture of each kind, and while none could be started for 30 s */
  async ping(): Promise<void> {
    if (!this.hasDecoded) throw new Error('No decoder has been started');
    if (this.decoders.haveOutage) throw new Error('No decoder could be started for 30 s');
  }

  /** Ends all decoders, whatever they do. */
  async stop(): Promise<void> {
    await this.decoders.stop();
  }

  /**
   * @throws {ImageBeyondLimits | InvalidImage | Overloaded}, and what `work` throws
   * @throws the reason of `job.signal`
   */
  async run<T>(job: ImageJob, work: (decoding: Decoding) => Promise<T>): Promise<T> {
    job.signal.throwIfAborted();
    this.refuseAgain(job);
    const ms = this.maxWaitMsOf(job);
    const wait = boundedWait(this.timer, { ms, ended: job.signal, reason: 'decoder_wait' });
    try {
      const endTurn = await this.queue.take(job, wait.signal);
      try {
        // The same bytes may have been refused meanwhile.
        this.refuseAgain(job);
        return await this.runInTurn(job, work, wait);
      } finally {
        endTurn();
      }
    } catch (error) {
      if (error instanceof FileRefused) throw refusal(error, job);
      throw error instanceof DecoderEnded ? this.judge(error, job) : error;
    } finally {
      wait.end();
    }
  }

  private maxWaitMsOf({ kind }: ImageJob): number {
    return kind === 'ahead' ? MAX_AHEAD_WAIT_MS : this.options.maxWaitMs;
  }

  private refuseAgain(job: ImageJob): void {
    const reason = this.refused.get(job.sha256) ?? this.refused.get(refusalKey(job));
    if (reason !== undefined) throw new ImageBeyondLimits(job.mediaType, reason);
  }

  private async runInTurn<T>(
    image: ImageJob,
    work: (decoding: Decoding) => Promise<T>,
    wait: BoundedWait,
  ): Promise<T> {
    const job = new DecodeJob({
      decoders: this.decoders,
      memory: this.memory,
      wait,
      leaving: image.signal,
      maxWaitMs: this.maxWaitMsOf(image),
      isAhead: image.kind === 'ahead',
      onEnded: (ended) => this.note(ended, image),
      beginUse: () => this.time.begin(image.subject),
    });
    try {
      return await work(job);
    } finally {
      job.end();
    }
  }

  private note({ end, cpuSeconds }: DecoderEnded, { sha256, imageId }: ImageJob): void {
    this.ends.set(end, this.ended(end) + 1);
    if (end !== 'cancelled') this.log.warn({ reason: end, cpuSeconds, sha256, imageId }, 'decoder ended');
  }

  private judge(ended: DecoderEnded, job: ImageJob): Error {
    const { end } = ended;
    const { mediaType } = job;
    if (end === 'crash') return new InvalidImage(mediaType, { cause: 'crash' }, { cause: ended });
    if (end !== 'cpu' && end !== 'memory') return new Overloaded('decoder_ended', { cause: ended });
    this.refused.set(refusalKey(job), EXCESS[end]);
    return new ImageBeyondLimits(mediaType, EXCESS[end], { cause: ended });
  }
}

/** An inspection that reaches a bound refuses the file, a rendition only itself. */
function refusalKey({ sha256, derivative }: ImageJob): string {
  return derivative === undefined ? sha256 : `${sha256} ${derivative}`;
}

function refusal(refused: FileRefused, { mediaType }: ImageJob): InvalidImage {
  const { request, fault } = refused;
  const isRendered = request.kind === 'render' || request.kind === 'encode';
  const isUnknown = fault.cause === 'undecodable';
  return new InvalidImage(mediaType, isRendered && isUnknown ? 'cannot be rendered' : fault, {
    cause: refused,
  });
}
