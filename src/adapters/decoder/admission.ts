import { halfOf } from '../../application/concurrency/half-of.ts';
import { Overloaded } from '../../domain/errors.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { DecodeMemory, Reservation } from './decode-memory.ts';
import { HeldTime } from './held-time.ts';

/** In order of precedence. `ahead` is a rendition that is made before a client asks for it. */
const KINDS = ['inspection', 'rendition', 'ahead'] as const;

export type DecodeKind = (typeof KINDS)[number];

/** What a job asks for. */
export interface Claim {
  readonly kind: DecodeKind;
  /** The client. Empty for jobs of the service itself. */
  readonly subject: string;
  /** From `nextNumber`. Of the claims of a subject, the lowest is the first. */
  readonly number: number;
  /** Memory that comes with the decoder, in bytes; at most the capacity. */
  readonly bytes: number;
  /** An inspection of a file that keeps a core busy: the last decoder is for others. */
  readonly isLarge?: boolean;
  /** The job has begun before. */
  readonly isAgain?: boolean;
  /** Set if the job has lost its decoder: it needs one that became ready after these many. See `Decoders.readyBeforeExit`. */
  readonly readyAfter?: number;
}

export interface Grant<Decoder> {
  readonly decoder: Decoder;
  /** Outlives the grant: a job that is repeated keeps its memory. */
  readonly memory: Reservation;
  /** To be called once, when the job no longer uses the decoder. */
  readonly release: () => void;
}

export interface AdmissionLimits {
  /** The most decoders at a time. */
  readonly slots: number;
  /** The most renditions at a time. */
  readonly renditions: number;
  /** The most renditions that wait; one subject may have half as many. Uploads are bounded by `UploadSlots`. */
  readonly maxWaiting: number;
}

interface Waiter<Decoder> {
  readonly claim: Claim;
  readonly grant: (grant: Grant<Decoder>) => void;
  readonly refuse: (reason: unknown) => void;
  /** The client may leave. */
  readonly unlisten: () => void;
}

/** If there are only two decoders, large files may take both: otherwise one would be idle while large files wait. */
const MIN_FOR_LARGE_FILES = 2;

const SUBJECT_WINDOW_MS = 60_000;
const SUBJECT_STEP_MS = 1_000;

/** The part of all decoder time that renditions get while inspections wait. */
const RENDITION_SHARE = 1 / 4;
/** Renditions are never owed, and never owe, more than their share of this time. */
const SHARE_WINDOW_MS = 10_000;

/**
 * Decides which job is the next, and gives it a decoder together with its memory.
 *
 * Inspections come first. While some wait, renditions that have had less than a quarter of the decoders' time come before them, in up to
 * half of the decoders, so inspections keep at least half. Within a kind, the subject that has held decoders for the least time in the
 * last minute comes first. A job that lacks memory keeps all jobs after it waiting, so that lighter ones cannot pass it for ever.
 */
export class Admission<Decoder> {
  private readonly waiters = new Set<Waiter<Decoder>>();
  private readonly subjects = new HeldTime(SUBJECT_WINDOW_MS, SUBJECT_STEP_MS);
  private readonly held: Record<DecodeKind, number> = { inspection: 0, rendition: 0, ahead: 0 };
  private heldByLarge = 0;
  /** The decoder time that renditions are owed, in milliseconds; negative if they have had more than their share. */
  private renditionsLackMs = 0;
  private passedMs = 0;
  private numbers = 0;

  constructor(
    private readonly limits: AdmissionLimits,
    readonly memory: DecodeMemory,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Renditions include those ahead of requests. */
  running(kind: 'inspection' | 'rendition'): number {
    return this.held[kind] + (kind === 'rendition' ? this.held.ahead : 0);
  }

  waiting(kind: 'inspection' | 'rendition'): number {
    return this.count((claim) => (kind === 'rendition') === isRendition(claim));
  }

  /** Jobs whose memory is not free. */
  get waitingForMemory(): number {
    return this.count(({ bytes }) => !this.memory.isFree(bytes));
  }

  /** Infinite for inspections: `UploadSlots` bounds them. */
  maxWaiting(kind: 'inspection' | 'rendition'): number {
    return kind === 'rendition' ? this.limits.maxWaiting : Number.POSITIVE_INFINITY;
  }

  /** How many more decoders the jobs could use. None is started for jobs ahead of requests. */
  get wanted(): number {
    const renditions = this.count(({ kind }) => kind === 'rendition');
    const large = this.count(({ isLarge }) => isLarge === true);
    const others = this.waiting('inspection') - large;
    return others + Math.min(large, this.freeForLargeFiles) + Math.min(renditions, this.freeForRenditions);
  }

  /** The number of a new job. */
  nextNumber(): number {
    this.numbers += 1;
    return this.numbers;
  }

  /**
   * Waits until `admit` gives the job a decoder.
   *
   * @throws {Overloaded} if too many renditions wait
   * @throws the reason of `stopped`
   */
  async wait(claim: Claim, stopped: Cancellation): Promise<Grant<Decoder>> {
    stopped.throwIfAborted();
    if (this.isBeyondBound(claim)) throw new Overloaded('renditions');
    return await new Promise((grant, refuse) => {
      const leave = (): void => {
        this.remove(waiter);
        refuse(stopped.reason);
      };
      const unlisten = (): void => stopped.removeEventListener('abort', leave);
      const waiter = { claim, grant, refuse, unlisten };
      stopped.addEventListener('abort', leave, { once: true });
      this.passTime();
      this.waiters.add(waiter);
    });
  }

  /**
   * Gives decoders to the jobs that are next. To be called when a job has come, has left or has ended, and when a decoder is ready.
   *
   * @param find takes nothing; `undefined` if no decoder is ready that the job can use
   */
  admit(find: (claim: Claim) => Decoder | undefined, take: (decoder: Decoder) => () => void): void {
    this.passTime();
    for (;;) {
      const next = this.next(find);
      const memory = next && this.memory.reserve(next.waiter.claim.bytes);
      if (next === undefined || memory === undefined) return;
      const { waiter, decoder } = next;
      waiter.grant({ decoder, memory, release: this.hold(waiter, take(decoder)) });
    }
  }

  refuseAll(reason: unknown): void {
    for (const waiter of this.waiters) {
      this.remove(waiter);
      waiter.refuse(reason);
    }
  }

  private next(
    find: (claim: Claim) => Decoder | undefined,
  ): { readonly waiter: Waiter<Decoder>; readonly decoder: Decoder } | undefined {
    for (const waiter of this.inOrder()) {
      const decoder = find(waiter.claim);
      if (decoder !== undefined) return { waiter, decoder };
    }
    return undefined;
  }

  /** Counts the job as running until the returned function is called. */
  private hold(waiter: Waiter<Decoder>, putBack: () => void): () => void {
    const { kind, subject, isLarge = false } = waiter.claim;
    this.remove(waiter);
    this.held[kind] += 1;
    if (isLarge) this.heldByLarge += 1;
    this.subjects.hold(subject);
    return () => {
      this.passTime();
      this.held[kind] -= 1;
      if (isLarge) this.heldByLarge -= 1;
      this.subjects.release(subject);
      putBack();
    };
  }

  /** The jobs that could begin if a decoder and their memory were free. */
  private inOrder(): ReadonlyArray<Waiter<Decoder>> {
    const able = [...this.waiters].filter(({ claim }) => this.mayBegin(claim));
    const rank = this.rankOf();
    return able.toSorted(
      ({ claim: a }, { claim: b }) =>
        rank(a) - rank(b) || this.subjects.of(a.subject) - this.subjects.of(b.subject) || a.number - b.number,
    );
  }

  /** Jobs that have lost their decoder are the first: nothing else waits for what they need. */
  private rankOf(): (claim: Claim) => number {
    const isWithinHalf = this.running('rendition') < halfOf(this.limits.slots);
    const preferred = isWithinHalf && this.renditionsLackMs > 0 ? 'rendition' : 'inspection';
    return ({ kind, readyAfter }) => {
      if (readyAfter !== undefined) return -2;
      return kind === preferred ? -1 : KINDS.indexOf(kind);
    };
  }

  private mayBegin(claim: Claim): boolean {
    if (isRendition(claim)) return this.freeForRenditions > 0;
    return claim.isLarge !== true || this.freeForLargeFiles > 0;
  }

  /**
   * How many more large files may be inspected. By default there is one more decoder than cores: a large file in the last one would take
   * memory and not be done sooner.
   */
  private get freeForLargeFiles(): number {
    return Math.max(MIN_FOR_LARGE_FILES, this.limits.slots - 1) - this.heldByLarge;
  }

  /** How many more renditions may begin. One decoder is for inspections, if there are several. */
  private get freeForRenditions(): number {
    const { slots, renditions } = this.limits;
    return Math.min(renditions, Math.max(1, slots - 1)) - this.running('rendition');
  }

  /** Renditions that could begin at once do not count. A job that begins again has been accepted. */
  private isBeyondBound({ kind, subject, isAgain = false }: Claim): boolean {
    if (kind !== 'rendition' || isAgain) return false;
    const { maxWaiting } = this.limits;
    const free = this.freeForRenditions;
    const isOne = (claim: Claim): boolean => claim.kind === kind;
    return (
      this.count(isOne) >= maxWaiting + free ||
      this.count((claim) => isOne(claim) && claim.subject === subject) >= halfOf(maxWaiting) + free
    );
  }

  private count(isCounted: (claim: Claim) => boolean): number {
    let count = 0;
    for (const { claim } of this.waiters) if (isCounted(claim)) count += 1;
    return count;
  }

  private remove(waiter: Waiter<Decoder>): void {
    this.passTime();
    this.waiters.delete(waiter);
    waiter.unlisten();
  }

  /** To be called before each change of who holds a decoder and who waits. */
  private passTime(): void {
    const now = this.nowMs();
    this.subjects.passTime(now);
    const ms = now - this.passedMs;
    this.passedMs = now;
    if (this.waiting('inspection') === 0) return;
    const { inspection, rendition } = this.held;
    const earned = ms * (RENDITION_SHARE * (inspection + rendition) - rendition);
    // What no inspection could use is not taken from the share of renditions.
    const isShared = this.count((claim) => !isRendition(claim) && this.mayBegin(claim)) > 0;
    const lack = this.renditionsLackMs + (isShared ? earned : Math.max(0, earned));
    const most = SHARE_WINDOW_MS * RENDITION_SHARE * this.limits.slots;
    this.renditionsLackMs = Math.max(-most, Math.min(most, lack));
  }
}

function isRendition({ kind }: Claim): boolean {
  return kind !== 'inspection';
}
