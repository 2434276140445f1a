import { Overloaded } from '../../domain/errors.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { Space } from '../../domain/space/space.ts';
import { boundedWait } from '../concurrency/bounded-wait.ts';
import { halfOf } from '../concurrency/half-of.ts';
import type { Bound } from '../concurrency/queue-policy.ts';
import { Tally } from '../concurrency/tally.ts';
import type { UploadRequest } from './upload-request.ts';
import type { ArrivingBody, UploadSlot } from './upload-slot.ts';

interface UploadJob {
  /** All uploads by ticket have the same one. */
  readonly subject: string;
  readonly space: Space;
  readonly byTicket: boolean;
}

export type SlotRequest = Pick<UploadRequest, 'space' | 'requester' | 'ticket'>;

export interface UploadSlotsOptions {
  readonly slots: number;
  /** Whether the uploads of one space count as those of one holder. */
  readonly sharesBySpace: boolean;
  readonly timer: Timer;
}

interface Upload extends UploadSlot {
  readonly job: UploadJob;
  arriving: ArrivingBody | undefined;
  hasGivenWay: boolean;
}

interface Waiter {
  readonly job: UploadJob;
  readonly begin: (upload: Upload) => void;
}

/** How long a request waits for the slot of an upload that was ended for it. */
const WAIT_MS = 2_000;
/** An upload that has received so many bytes in the last ten seconds is not ended for another. */
const MIN_RECENT_BYTES = 640_000;
/** A slot is taken only from a holder that has so many slots more than the one that asks. */
const LEAD = 2;

/**
 * The slots of the uploads that run at a time. All tickets together have at most half of them, and those of one space half of these. So
 * has one subject, and one space if spaces share them. When all are taken, the slowest upload of the largest holder gives way to a
 * request of a holder that has fewer.
 */
export class UploadSlots {
  private readonly uploads = new Set<Upload>();
  /** In the order of their requests. None waits while a slot is free. */
  private readonly waiters = new Set<Waiter>();
  /** Includes requests that wait: they cannot pass a share together. */
  private readonly shares = new Tally();
  /** By holder; without uploads that have given way, with requests that wait for their slots. */
  private readonly holders = new Tally();

  constructor(private readonly options: UploadSlotsOptions) {}

  get running(): number {
    return this.uploads.size;
  }

  /**
   * @throws {Overloaded}
   * @throws the reason of the requester's signal
   */
  async take({ space, requester, ticket }: SlotRequest): Promise<UploadSlot> {
    const { subject, signal: leaving } = requester;
    const job = { subject, space, byTicket: ticket !== undefined };
    if (!this.shares.fits(this.sharesOf(job))) throw new Overloaded('uploads');
    if (this.uploads.size < this.options.slots) {
      this.count(job);
      return this.begin(job);
    }
    leaving.throwIfAborted();
    const slowest = this.slowestOfLargest(job);
    if (slowest === undefined) throw new Overloaded('uploads');
    slowest.hasGivenWay = true;
    this.holders.remove([this.holderOf(slowest.job)]);
    const slot = this.waitForSlot(job, leaving);
    slowest.arriving?.giveWay();
    return await slot;
  }

  private async waitForSlot(job: UploadJob, leaving: Cancellation): Promise<UploadSlot> {
    const wait = boundedWait(this.options.timer, { ms: WAIT_MS, ended: leaving, reason: 'uploads' });
    this.count(job);
    try {
      return await new Promise((begin, refuse) => {
        const waiter = { job, begin };
        const leave = (): void => {
          // The request has been given a slot.
          if (!this.waiters.delete(waiter)) return;
          this.discount(job);
          refuse(wait.signal.reason);
        };
        this.waiters.add(waiter);
        wait.signal.addEventListener('abort', leave, { once: true });
        if (wait.signal.aborted) leave();
      });
    } finally {
      wait.end();
    }
  }

  private begin(job: UploadJob): Upload {
    const upload: Upload = {
      job,
      arriving: undefined,
      hasGivenWay: false,
      setArriving: (body) => {
        upload.arriving = body;
      },
      release: () => this.release(upload),
      [Symbol.dispose]: () => this.release(upload),
    };
    this.uploads.add(upload);
    return upload;
  }

  private release(upload: Upload): void {
    if (!this.uploads.delete(upload)) return;
    if (upload.hasGivenWay) this.shares.remove(this.sharesOf(upload.job));
    else this.discount(upload.job);
    const [waiter] = this.waiters;
    if (waiter === undefined) return;
    this.waiters.delete(waiter);
    waiter.begin(this.begin(waiter.job));
  }

  private slowestOfLargest(job: UploadJob): Upload | undefined {
    const least = this.holders.of(this.holderOf(job).label) + LEAD;
    const found = [...this.uploads].flatMap((upload) => {
      const held = this.holders.of(this.holderOf(upload.job).label);
      const bytes = upload.hasGivenWay ? undefined : upload.arriving?.recentBytes();
      return bytes === undefined || bytes >= MIN_RECENT_BYTES || held < least
        ? []
        : [{ upload, held, bytes }];
    });
    const [slowest] = found.toSorted((a, b) => b.held - a.held || a.bytes - b.bytes);
    return slowest?.upload;
  }

  private count(job: UploadJob): void {
    this.shares.add(this.sharesOf(job));
    this.holders.add([this.holderOf(job)]);
  }

  private discount(job: UploadJob): void {
    this.shares.remove(this.sharesOf(job));
    this.holders.remove([this.holderOf(job)]);
  }

  private sharesOf({ subject, space, byTicket }: UploadJob): readonly Bound[] {
    const { slots, sharesBySpace } = this.options;
    const share = halfOf(slots);
    if (byTicket) {
      return [
        { label: 'tickets', max: share },
        { label: `tickets of ${space}`, max: halfOf(share) },
      ];
    }
    const ofSubject = { label: `subject ${subject}`, max: share };
    return sharesBySpace ? [ofSubject, { label: `space ${space}`, max: share }] : [ofSubject];
  }

  /** The one whose uploads count together when a slot is taken from the largest. */
  private holderOf({ subject, space }: UploadJob): Bound {
    const label = this.options.sharesBySpace ? `space ${space}` : `subject ${subject}`;
    return { label, max: this.options.slots };
  }
}
