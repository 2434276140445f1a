import { buffer } from 'node:stream/consumers';
import type { Frame, Request } from '../../decoder/protocol.ts';
import { DomainError, Overloaded } from '../../domain/errors.ts';
import type { ReadableBytes } from '../../domain/ports/bytes/readable-bytes.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { DecodeBounds, WeightedSemaphore } from './decode-memory.ts';
import {
  type DecoderEnd,
  DecoderEnded,
  type DecoderProcess,
  InputUnreadable,
  type JobInput,
} from './decoder-process.ts';
import type { DecoderSlots } from './decoder-slots.ts';

/** A decode that has run for longer finishes although its client has left. */
const CANCELLABLE_MS = 100;

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

/** The decoder says that the file is truncated or corrupt. */
export class FileRefused extends Error {
  constructor(
    readonly request: Request,
    reason: string,
  ) {
    super(reason);
  }
}

/**
 * Asks one decoder, for one thing after the other.
 *
 * @throws {DecoderEnded | FileRefused | InputUnreadable}
 */
export type Ask = <T>(question: Question<T>) => Promise<T>;

/** The work of decoders for one image. */
export class DecodeJob {
  private readonly releases: (() => void)[] = [];
  /** `undefined` until it is known what the job needs. */
  private reservedBytes: number | undefined;

  /** @param leaving ends a decode that has begun a moment ago */
  constructor(
    private readonly decoders: DecoderSlots,
    private readonly memory: WeightedSemaphore,
    private readonly leaving: Cancellation,
    private readonly onEnded: (ended: DecoderEnded) => void,
  ) {}

  /**
   * Once: kept if the job is repeated.
   *
   * @throws the reason of `signal`
   */
  async reserve(bytes: number, signal: Cancellation): Promise<void> {
    if (this.reservedBytes !== undefined) return;
    this.releases.push(await this.memory.acquire(bytes, signal));
    this.reservedBytes = bytes;
  }

  /**
   * Repeats the job in the next decoder if the first has crashed, or was ended from outside.
   *
   * @throws {DecoderEnded | InputUnreadable | Overloaded} and the reason of `leaving`
   */
  async decode<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    try {
      return await this.attempt(work);
    } catch (error) {
      if (!(error instanceof DecoderEnded && REPEATED.includes(error.end))) throw error;
      return await this.attempt(work);
    }
  }

  end(): void {
    for (const release of this.releases) release();
  }

  private async attempt<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    try {
      return await this.decoders.use(this.leaving, (decoder) => this.decodeIn(decoder, work));
    } catch (error) {
      throw error instanceof DecoderEnded ? this.reasonOf(error) : error;
    }
  }

  private async decodeIn<T>(decoder: DecoderProcess, work: (ask: Ask) => Promise<T>): Promise<T> {
    const cancel = (): void => {
      const { jobMs } = decoder;
      if (jobMs !== undefined && jobMs < CANCELLABLE_MS) decoder.end('cancelled');
    };
    this.leaving.addEventListener('abort', cancel, { once: true });
    try {
      const hasRoom = (usedBytes: number): boolean => this.hasRoom(usedBytes);
      return await decoder.run((ask) =>
        work(async ({ request, input, bounds, parse }) => {
          const reply = await ask(request, { ...bounds, hasRoom }, input);
          if (!isRefused(reply.message)) return parseReply(reply, parse, decoder);
          const { reason } = reply.message;
          throw new FileRefused(request, typeof reason === 'string' ? reason : '');
        }),
      );
    } finally {
      this.leaving.removeEventListener('abort', cancel);
    }
  }

  private reasonOf(ended: DecoderEnded): unknown {
    this.onEnded(ended);
    if (ended.end !== 'cancelled') return ended;
    return this.leaving.aborted ? this.leaving.reason : new Overloaded('decoder_ended', { cause: ended });
  }

  /** What a job uses beyond its reservation counts as soon as it is seen. Before it has one, it holds the file. */
  private hasRoom(usedBytes: number): boolean {
    if (this.reservedBytes === undefined) return true;
    const more = usedBytes - this.reservedBytes;
    if (more <= 0) return true;
    const release = this.memory.grow(more);
    if (release === undefined) return false;
    this.releases.push(release);
    this.reservedBytes = usedBytes;
    return true;
  }
}

function isRefused(message: unknown): message is { readonly reason?: unknown } {
  return (message as { readonly kind?: unknown } | null)?.kind === 'refused';
}

function parseReply<T>(reply: Frame, parse: (reply: Frame) => T, decoder: DecoderProcess): T {
  try {
    return parse(reply);
  } catch (error) {
    decoder.end('crash');
    throw new DecoderEnded('crash', 0, { cause: error });
  }
}

/**
 * Bytes from a network are read into memory.
 *
 * @throws {DomainError | InputUnreadable}
 */
export async function inputOf(file: ReadableBytes): Promise<JobInput> {
  try {
    return file.buffered ?? file.localPath ?? (await buffer(file.read()));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new InputUnreadable('The file cannot be read', { cause: error });
  }
}
