import { runWithin } from '../../application/concurrency/run-within.ts';
import type { Frame, Request } from '../../decoder/protocol.ts';
import { Overloaded } from '../../domain/errors.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { Claim, Grant } from './admission.ts';
import type { DecodeBounds } from './decode-bounds.ts';
import type { Reservation } from './decode-memory.ts';
import { type DecoderEnd, DecoderEnded } from './decoder-ended.ts';
import type { DecoderProcess } from './decoder-process.ts';
import type { Decoders } from './decoders.ts';
import { FileRefused } from './file-refused.ts';
import type { JobInput } from './job-input.ts';

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

/** What a job has while it holds a decoder. */
export interface Decoding {
  readonly ask: Ask;
  /**
   * Says how much memory the job needs; of more than the memory of all decodes, it gets all of it. If so much is not free, the job gives
   * its decoder back, and begins again when it gets a decoder together with this memory.
   *
   * @throws to end this attempt
   */
  readonly reserve: (bytes: number) => void;
}

/** May run several times. */
export type DecodeWork<T> = (decoding: Decoding) => Promise<T>;

/** Ends an attempt: the job waits for a decoder together with this memory. */
class MemoryWanted extends Error {
  constructor(readonly bytes: number) {
    super(`The job needs ${bytes} bytes`);
  }
}

/** How a job waits for a decoder. */
export interface JobWait {
  readonly timer: Timer;
  readonly maxMs: number;
  /** The client has left: ends the wait, or a decode that has begun a moment ago. */
  readonly leaving: Cancellation;
}

/** One image's way through the decoders. */
export class DecodeJob {
  private memory: Reservation | undefined;
  /** Until the job has said what it needs, it has what is known without its file. */
  private hasReserved = false;
  /** See `Claim.readyAfter`. */
  private readyAtLoss = 0;

  constructor(
    private readonly decoders: Decoders,
    private readonly claim: Claim,
    private readonly wait: JobWait,
    private readonly onEnded: (ended: DecoderEnded) => void,
  ) {}

  /**
   * Repeats the work in a fresh decoder if the first has crashed, or was ended from outside.
   *
   * @throws {DecoderEnded | StorageUnavailable | Overloaded} and the reason of `leaving`
   */
  async run<T>(work: DecodeWork<T>): Promise<T> {
    try {
      return await this.runOnce(this.claim, work);
    } catch (error) {
      if (!(error instanceof DecoderEnded && REPEATED.includes(error.end))) throw error;
      return await this.runOnce(
        { ...this.claim, bytes: 0, isAgain: true, readyAfter: this.readyAtLoss },
        work,
      );
    } finally {
      this.giveMemoryBack();
      this.decoders.serve();
    }
  }

  private async runOnce<T>(claim: Claim, work: DecodeWork<T>): Promise<T> {
    const { timer, maxMs: ms, leaving: ended } = this.wait;
    const bound = { ms, ended, reason: 'decoder_wait' } as const;
    return await runWithin(timer, bound, (over) => this.untilMemorySuffices(claim, work, over));
  }

  private async untilMemorySuffices<T>(claim: Claim, work: DecodeWork<T>, over: AbortSignal): Promise<T> {
    try {
      return await this.attempt(claim, work, over);
    } catch (error) {
      if (!(error instanceof MemoryWanted)) throw error;
      return await this.untilMemorySuffices({ ...claim, bytes: error.bytes, isAgain: true }, work, over);
    }
  }

  private async attempt<T>(claim: Claim, work: DecodeWork<T>, over: AbortSignal): Promise<T> {
    const { decoder, memory, release } = await this.acquire(claim, over);
    // A job that has lost its decoder still has its memory.
    this.memory ??= memory;
    try {
      this.wait.leaving.throwIfAborted();
      return await this.decodeIn(decoder, work);
    } catch (error) {
      if (error instanceof MemoryWanted) this.giveMemoryBack();
      throw error instanceof DecoderEnded ? await this.endOf(error, decoder) : error;
    } finally {
      release();
    }
  }

  private async acquire(claim: Claim, over: AbortSignal): Promise<Grant<DecoderProcess>> {
    try {
      return await this.decoders.acquire(claim, over);
    } catch (error) {
      if (error instanceof DecoderEnded) this.onEnded(error);
      throw error;
    }
  }

  /** Resolves when the process has ended. */
  private async endOf(ended: DecoderEnded, decoder: DecoderProcess): Promise<unknown> {
    const { leaving } = this.wait;
    await decoder.exit;
    this.readyAtLoss = this.decoders.readyBeforeExit(decoder);
    this.onEnded(ended);
    if (ended.end !== 'cancelled') return ended;
    return leaving.aborted ? leaving.reason : new Overloaded('decoder_ended', { cause: ended });
  }

  private async decodeIn<T>(decoder: DecoderProcess, work: DecodeWork<T>): Promise<T> {
    const { leaving } = this.wait;
    const cancel = (): void => {
      const { jobMs } = decoder;
      if (jobMs !== undefined && jobMs < CANCELLABLE_MS) decoder.cancel('cancelled');
    };
    leaving.addEventListener('abort', cancel, { once: true });
    try {
      return await decoder.run(
        (usedBytes) => this.hasRoom(usedBytes),
        () => work({ ask: asking(decoder), reserve: (bytes) => this.reserve(bytes) }),
      );
    } finally {
      leaving.removeEventListener('abort', cancel);
    }
  }

  /** Kept if the job is repeated. */
  private reserve(wanted: number): void {
    if (this.hasReserved) return;
    const bytes = Math.min(wanted, this.decoders.admission.memory.capacity);
    this.hasReserved = this.mayReserve(bytes) && this.memory?.growTo(bytes) === true;
    if (this.hasReserved) return;
    throw this.claim.kind === 'ahead' ? new Overloaded('decode_memory') : new MemoryWanted(bytes);
  }

  /** A job takes no memory for which another one waits. Ahead of requests it takes neither pixels that are held nor much of the rest. */
  private mayReserve(bytes: number): boolean {
    const { memory, waitingForMemory } = this.decoders.admission;
    const isSpare = bytes <= Math.min(memory.capacity * AHEAD_SHARE, memory.capacity - memory.held);
    if (this.claim.kind === 'ahead' && !isSpare) return false;
    return waitingForMemory === 0 || bytes <= (this.memory?.bytes ?? 0);
  }

  /** What a job uses beyond its reservation counts as soon as it is seen. Before it has one, it holds the file. */
  private hasRoom(usedBytes: number): boolean {
    return !this.hasReserved || this.memory?.growTo(usedBytes) === true;
  }

  private giveMemoryBack(): void {
    this.memory?.release();
    this.memory = undefined;
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
      decoder.cancel('crash');
      throw new DecoderEnded('crash', 0, { cause: error });
    }
  };
}
