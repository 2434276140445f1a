import {
  Admission,
  type AdmissionLimits,
  type Claim,
  type Grant,
} from '../../../src/adapters/decoder/admission.ts';
import { DecodeMemory } from '../../../src/adapters/decoder/decode-memory.ts';
import { settled } from '../time/gate.ts';
import { STAYING } from './staying.ts';

/** A job that begins again when it has ended, as those of many clients. */
export interface Load extends Pick<Claim, 'kind'> {
  /** Jobs at a time. */
  readonly clients: number;
  readonly ms: number;
  readonly subject?: string;
  readonly bytes?: number;
  readonly isLarge?: boolean;
}

/** An admission whose clock the test moves. Decoders are numbers, and always ready. */
export class AdmissionClock {
  readonly admission: Admission<number>;
  /** The names of jobs in the order in which they began. */
  readonly order: string[] = [];
  ms = 0;
  readonly #idle: Set<number>;
  readonly #grants = new Map<string, Grant<number>>();
  #ends: { readonly at: number; readonly end: () => void }[] = [];
  #held = { inspection: 0, rendition: 0, ahead: 0 };

  constructor(
    { slots, renditions = slots, maxWaiting = 1000 }: Partial<AdmissionLimits> & { readonly slots: number },
    capacity = 1000,
  ) {
    const limits = { slots, renditions, maxWaiting };
    this.admission = new Admission(limits, new DecodeMemory(capacity), () => this.ms);
    this.#idle = new Set(Array.from({ length: slots }, (_, index) => index + 1));
  }

  /** Resolves to the error if the job is refused. */
  async begin(
    name: string,
    claim: Partial<Claim> = {},
    stopped: AbortSignal = STAYING,
  ): Promise<Error | undefined> {
    let refusal: Error | undefined;
    void this.#wait({ subject: name, ...claim }, stopped).then(
      (grant) => {
        this.order.push(name);
        this.#grants.set(name, grant);
      },
      (error: Error) => {
        refusal = error;
      },
    );
    await this.serve();
    return refusal;
  }

  /** Ends a job that has begun, some time after the last event. */
  async end(name: string, afterMs = 0): Promise<void> {
    this.ms += afterMs;
    this.#release(this.#grants.get(name) as Grant<number>);
    await this.serve();
  }

  async serve(): Promise<void> {
    this.admission.admit(
      () => [...this.#idle][0],
      (decoder) => {
        this.#idle.delete(decoder);
        return () => this.#idle.add(decoder);
      },
    );
    await settled();
  }

  /** Clients that come now, and stay. */
  async load({ clients, ms, ...claim }: Load): Promise<void> {
    const again = async (): Promise<void> => {
      const since = this.ms;
      const grant = await this.#wait(claim, STAYING);
      this.waits.push({ kind: claim.kind, ms: this.ms - since });
      const end = (): void => {
        this.#release(grant);
        void again();
      };
      this.#ends.push({ at: this.ms + ms, end });
    };
    for (let client = 0; client < clients; client += 1) void again();
    await this.serve();
  }

  readonly waits: { readonly kind: Claim['kind']; readonly ms: number }[] = [];

  /** Lets time pass. Returns the share of the time of all decoders that were held in it. */
  async pass(ms: number): Promise<{ readonly inspection: number; readonly rendition: number }> {
    const until = this.ms + ms;
    this.#held = { inspection: 0, rendition: 0, ahead: 0 };
    for (;;) {
      const at = Math.min(until, ...this.#ends.map((end) => end.at));
      this.#held.inspection += (at - this.ms) * this.admission.running('inspection');
      this.#held.rendition += (at - this.ms) * this.admission.running('rendition');
      this.ms = at;
      const due = this.#ends.filter((end) => end.at <= at);
      if (due.length === 0) break;
      this.#ends = this.#ends.filter((end) => end.at > at);
      for (const { end } of due) end();
      await this.serve();
      if (at === until) break;
    }
    const { inspection, rendition } = this.#held;
    return {
      inspection: inspection / (inspection + rendition),
      rendition: rendition / (inspection + rendition),
    };
  }

  #wait(claim: Partial<Claim>, stopped: AbortSignal): Promise<Grant<number>> {
    const number = this.admission.nextNumber();
    return this.admission.wait({ kind: 'inspection', subject: 'alice', number, bytes: 0, ...claim }, stopped);
  }

  #release({ memory, release }: Grant<number>): void {
    memory.release();
    release();
  }
}
