import type { Frame, Request } from '../../decoder/protocol.ts';
import { Overloaded } from '../../domain/errors.ts';
import type { Cancellation } from '../../domain/ports/cancellation.ts';
import {
  type DecoderEnd,
  DecoderEnded,
  type DecoderProcess,
  type JobBounds,
  type JobInput,
} from './decoder-process.ts';
import type { DecoderSlot } from './decoder-slot.ts';
import type { WeightedSemaphore } from './weighted-semaphore.ts';

/** A decode that has run for longer finishes although its client has left. */
const CANCELLABLE_MS = 100;

/** Ends that may have nothing to do with the picture. */
const REPEATED: readonly DecoderEnd[] = ['not_started', 'time', 'signal', 'crash'];

/** The work of one decoder for one picture. */
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
   * @throws {DecoderEnded | Overloaded}, what reading the input throws, and the reason of `leaving`
   */
  async decode(request: Request, input: JobInput, bounds: Omit<JobBounds, 'hasRoom'>): Promise<Frame> {
    const limits = { ...bounds, hasRoom: (usedBytes: number) => this.hasRoom(usedBytes) };
    try {
      return await this.attempt(request, input, limits);
    } catch (error) {
      if (!(error instanceof DecoderEnded && REPEATED.includes(error.end))) throw error;
      return await this.attempt(request, input, limits);
    }
  }

  end(): void {
    for (const release of this.releases) release();
    this.slot.renew();
  }

  private async attempt(request: Request, input: JobInput, bounds: JobBounds): Promise<Frame> {
    const decoder = await this.decoder();
    this.leaving.throwIfAborted();
    const cancel = (): void => {
      if (decoder.jobMs < CANCELLABLE_MS) decoder.end('cancelled');
    };
    this.leaving.addEventListener('abort', cancel, { once: true });
    try {
      return await decoder.run(request, input, bounds);
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
    if (ended.cause !== undefined) return ended.cause;
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
