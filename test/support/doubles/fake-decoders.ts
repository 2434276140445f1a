import { type DecoderEnd, DecoderEnded } from '../../../src/adapters/decoder/decoder-ended.ts';
import type { DecoderProcess } from '../../../src/adapters/decoder/decoder-process.ts';
import type { Frame } from '../../../src/decoder/protocol.ts';
import { Gate } from '../time/gate.ts';

/** A decoder without a process. */
class FakeDecoder {
  readonly confinement = { isFrozen: true, hasOwnUser: true };
  readonly versions = {};
  readonly cpuSeconds = 0;
  readonly keptBytes = 0;
  readonly jobMs = 0;
  /** For each look at its bounds, whether it was also one at those of an idle decoder. */
  readonly looks: boolean[] = [];
  whyEnded: DecoderEnd | undefined;
  readonly #end = new Gate();
  readonly exit = this.#end.opened.then(() => 'signal');
  #job: { readonly reply: (frame: Frame) => void; readonly fail: (error: Error) => void } | undefined;

  get isBusy(): boolean {
    return this.#job !== undefined;
  }

  async run(_hasRoom: unknown, work: () => Promise<unknown>): Promise<unknown> {
    return await work();
  }

  async ask(): Promise<Frame> {
    return await new Promise((reply, fail) => {
      this.#job = { reply, fail };
    });
  }

  enforceBounds(isIdleWatch: boolean): void {
    this.looks.push(isIdleWatch);
  }

  reply(): void {
    this.#job?.reply({ message: {}, body: Buffer.of() });
    this.#job = undefined;
  }

  cancel(): void {
    this.end();
  }

  /** As by the SIGKILL of another process. */
  end(): void {
    this.endFor('signal');
  }

  endFor(why: DecoderEnd): void {
    if (this.whyEnded !== undefined) return;
    this.whyEnded = why;
    this.#job?.fail(new DecoderEnded(why, 0));
    this.#job = undefined;
    this.#end.open();
  }
}

/** Decoders without processes, whose starts a test lets fail. */
export class FakeDecoders {
  /** All that have started. */
  readonly started: FakeDecoder[] = [];
  /** Starts, failed ones too. */
  attempts = 0;
  /** How many starts fail from now on. */
  failing = 0;
  /** Starts wait for it. */
  startable = Promise.resolve();

  readonly start = async (stopped: AbortSignal): Promise<DecoderProcess> => {
    this.attempts += 1;
    await Promise.race([this.startable, rejectionAt(stopped)]);
    if (this.failing > 0) {
      this.failing -= 1;
      throw new Error('no library');
    }
    const decoder = new FakeDecoder();
    this.started.push(decoder);
    return decoder as unknown as DecoderProcess;
  };

  get running(): readonly FakeDecoder[] {
    return this.started.filter(({ whyEnded }) => whyEnded === undefined);
  }

  get busy(): readonly FakeDecoder[] {
    return this.started.filter(({ isBusy }) => isBusy);
  }
}

async function rejectionAt(stopped: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => {
    stopped.addEventListener('abort', () => reject(stopped.reason as Error), { once: true });
  });
}
