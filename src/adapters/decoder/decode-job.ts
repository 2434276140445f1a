import type { BoundedWait } from '../../application/concurrency/bounded-wait.ts';
import type { Frame, Request } from '../../decoder/protocol.ts';
import { Overloaded } from '../../domain/errors.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { DecodeBounds } from './decode-bounds.ts';
import { type DecoderEnd, DecoderEnded } from './decoder-ended.ts';
import type { DecoderProcess } from './decoder-process.ts';
import type { Decoders } from './decoders.ts';
import { FileRefused } from './file-refused.ts';
import type { JobInput } from './job-input.ts';
import type { WeightedSemaphore } from './weighted-semaphore.ts';

/** A decode that has run for longer finishes although its client has left. */
const CANCELLABLE_MS = 100;

/** Part of the memory that a job without a client may take. */
const AHEAD_SHARE = 1 / 4;

/** Ends that may have nothing to do with the image. */
const REPEATED: readonly DecoderEnd[] = ['time', 'signal', 'crash'];

export interface Question<T> {
  readonly request: Request;
  /** The bytes of a file, or pixels, if the request is for any. */
  readonly input?: JobInput;
  /** Of all that the job has used so far. */
  readonly bounds: DecodeBounds;
  /** Throws if the reply is ill-formed: a decoder may be in the hands of a file that it has read. */
  readonly parse: (reply: Frame) => T;
}

/**
 * Asks one decoder, for one thing after the other.
 *
 * @throws {DecoderEnded | FileRefused | StorageUnavailable}
 */
export type Ask = <T>(question: Question<T>) => Promise<T>;

interface JobParts {
  readonly decoders: Decoders;
  readonly memory: WeightedSemaphore;
  /** For memory. */
  readonly wait: BoundedWait;
  /** Ends a decode that has begun a moment ago. */
  readonly leaving: Cancellation;
  /** For a decoder. */
  readonly maxWaitMs: number;
  /** No client waits for the job. */
  readonly isAhead: boolean;
  readonly onEnded: (ended: DecoderEnded) => void;
  /** Called when the job has got a decoder. Returns what ends the use. */
  readonly beginUse: () => () => void;
}

export type Decoding = Pick<DecodeJob, 'reserve' | 'decode'>;

/** The work of decoders for one image. */
export class DecodeJob {
  private readonly releases: (() => void)[] = [];
  /** `undefined` until it is known what the job needs. */
  private reservedBytes: number | undefined;

  constructor(private readonly parts: JobParts) {}

  /**
   * Waits until the bytes are free; of more than the memory of all decodes, for all of it. Once: kept if the job is repeated.
   *
   * @throws {Overloaded} and the reason of `leaving`
   */
  async reserve(bytes: number): Promise<void> {
    if (this.reservedBytes !== undefined) return;
    const { memory, wait, isAhead } = this.parts;
    const isSpare = bytes <= memory.capacity * AHEAD_SHARE && memory.isFree(bytes);
    if (isAhead && !isSpare) throw new Overloaded('decode_memory');
    const reserved = Math.min(bytes, memory.capacity);
    this.releases.push(await memory.acquire(reserved, wait.signal));
    this.reservedBytes = reserved;
    wait.end();
  }

  /**
   * Repeats the job in a fresh decoder if the first has crashed, or was ended from outside.
   *
   * @throws {DecoderEnded | StorageUnavailable | Overloaded} and the reason of `leaving`
   */
  async decode<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    const before = this.parts.decoders.readyCount;
    try {
      return await this.attempt(work, 0);
    } catch (error) {
      if (!(error instanceof DecoderEnded && REPEATED.includes(error.end))) throw error;
      return await this.attempt(work, before);
    }
  }

  end(): void {
    for (const release of this.releases) release();
  }

  private async attempt<T>(work: (ask: Ask) => Promise<T>, unusable: number): Promise<T> {
    const { decoders, leaving, maxWaitMs, isAhead, onEnded } = this.parts;
    const wait = { leaving, maxWaitMs, mayStart: !isAhead, unusable };
    try {
      return await decoders.use(wait, (decoder) => this.decodeIn(decoder, work));
    } catch (error) {
      if (!(error instanceof DecoderEnded)) throw error;
      onEnded(error);
      if (error.end !== 'cancelled') throw error;
      throw leaving.aborted ? leaving.reason : new Overloaded('decoder_ended', { cause: error });
    }
  }

  private async decodeIn<T>(decoder: DecoderProcess, work: (ask: Ask) => Promise<T>): Promise<T> {
    const { leaving, beginUse } = this.parts;
    const cancel = (): void => {
      const { jobMs } = decoder;
      if (jobMs !== undefined && jobMs < CANCELLABLE_MS) decoder.end('cancelled');
    };
    leaving.addEventListener('abort', cancel, { once: true });
    const endUse = beginUse();
    try {
      return await decoder.run(
        (usedBytes) => this.hasRoom(usedBytes),
        () => work(asking(decoder)),
      );
    } finally {
      endUse();
      leaving.removeEventListener('abort', cancel);
    }
  }

  /** What a job uses beyond its reservation counts as soon as it is seen. Before it has one, it holds the file. */
  private hasRoom(usedBytes: number): boolean {
    if (this.reservedBytes === undefined) return true;
    const more = usedBytes - this.reservedBytes;
    if (more <= 0) return true;
    const release = this.parts.memory.grow(more);
    if (release === undefined) return false;
    this.releases.push(release);
    this.reservedBytes = usedBytes;
    return true;
  }
}

function asking(decoder: DecoderProcess): Ask {
  return async ({ request, input, bounds, parse }) => {
    const reply = await decoder.ask(request, bounds, input);
    const { kind } = (reply.message ?? {}) as { readonly kind?: unknown };
    if (kind === 'refused') throw new FileRefused(request, reply.message);
    try {
      return parse(reply);
    } catch (error) {
      decoder.end('crash');
      throw new DecoderEnded('crash', 0, { cause: error });
    }
  };
}
