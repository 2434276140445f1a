import { LRUCache } from 'lru-cache';
import { ImageBeyondLimits, InvalidImage, Overloaded } from '../../domain/errors.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import { Admission, type AdmissionLimits, type Claim, type DecodeKind } from './admission.ts';
import type { Confinement } from './confinement.ts';
import { DecodeJob, type DecodeWork } from './decode-job.ts';
import type { DecodeMemory } from './decode-memory.ts';
import { type DecoderEnd, DecoderEnded } from './decoder-ended.ts';
import type { DecoderProcess } from './decoder-process.ts';
import { Decoders, type DecodersOptions } from './decoders.ts';
import { FileRefused } from './file-refused.ts';

export interface DecoderPoolOptions extends AdmissionLimits, DecodersOptions {
  /** The time for which a job waits for a decoder and its memory. */
  readonly maxWaitMs: number;
}

export interface ImageJob {
  readonly kind: DecodeKind;
  /** The client. Empty for jobs of the service itself. */
  readonly subject: string;
  /** Cancels a job that waits, or that has decoded for a moment only. */
  readonly signal: Cancellation;
  readonly mediaType: MediaType;
  readonly sha256: string;
  /** The name of what a rendition job makes; `undefined` for an inspection. */
  readonly derivative?: string | undefined;
  /** See `Claim`. */
  readonly isLarge?: boolean;
  /** Memory that the job needs in any case, in bytes. */
  readonly leastBytes?: number;
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
  readonly admission: Admission<DecoderProcess>;
  readonly decoders: Decoders;
  /** Why a decoder was ended at a bound. The key says what is refused for ten minutes: see `refusalKey`. */
  private readonly refused = new LRUCache<string, string>({ max: MAX_REFUSED, ttl: REFUSED_MS });
  private readonly ends = new Map<DecoderEnd, number>();
  private hasDecoded = false;

  constructor(
    private readonly options: DecoderPoolOptions,
    readonly memory: DecodeMemory,
    private readonly log: EventLog,
    private readonly timer: Timer,
  ) {
    this.admission = new Admission(options, memory);
    this.decoders = new Decoders(options, this.admission, log, timer);
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
   * @param work called again for a second attempt
   * @throws {ImageBeyondLimits | InvalidImage | Overloaded}, and what `work` throws
   * @throws the reason of `job.signal`
   */
  async run<T>(job: ImageJob, work: DecodeWork<T>): Promise<T> {
    const { timer } = this;
    job.signal.throwIfAborted();
    this.refuseAgain(job);
    const wait = { timer, maxMs: this.maxWaitMsOf(job), leaving: job.signal };
    const decoding = new DecodeJob(this.decoders, this.claimOf(job), wait, (ended) =>
      this.countEnd(ended, job),
    );
    try {
      return await decoding.run(async (parts) => {
        // The same bytes may have been refused while the job waited.
        this.refuseAgain(job);
        return await work(parts);
      });
    } catch (error) {
      if (error instanceof FileRefused) throw refusal(error, job);
      throw error instanceof DecoderEnded ? this.judge(error, job) : error;
    }
  }

  /** Jobs ahead of requests do not wait for memory. */
  private claimOf({ kind, subject, isLarge = false, leastBytes = 0 }: ImageJob): Claim {
    const bytes = kind === 'ahead' ? 0 : Math.min(leastBytes, this.memory.capacity);
    return { kind, subject, number: this.admission.nextNumber(), isLarge, bytes };
  }

  private maxWaitMsOf({ kind }: ImageJob): number {
    return kind === 'ahead' ? MAX_AHEAD_WAIT_MS : this.options.maxWaitMs;
  }

  private refuseAgain(job: ImageJob): void {
    const reason = this.refused.get(job.sha256) ?? this.refused.get(refusalKey(job));
    if (reason !== undefined) throw new ImageBeyondLimits(job.mediaType, reason);
  }

  private countEnd({ end, cpuSeconds }: DecoderEnded, { sha256, imageId }: ImageJob): void {
    this.ends.set(end, this.ended(end) + 1);
    if (end !== 'cancelled') this.log.warn({ reason: end, cpuSeconds, sha256, imageId }, 'decoder ended');
  }

  private judge(ended: DecoderEnded, job: ImageJob): Error {
    const { end } = ended;
    const { mediaType } = job;
    if (end === 'crash') return new InvalidImage(mediaType, { cause: 'crash' }, { cause: ended });
    if (end === 'no_memory') return new Overloaded('decode_memory', { cause: ended });
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
