import type { ServerResponse } from 'node:http';
import type { FairQueue } from '../../../application/concurrency/fair-queue.ts';
import type { UploadJob } from '../../../application/upload/upload-slots.ts';
import { IdempotencyKeyInUse } from '../../../domain/errors.ts';
import type { Ticket } from '../../../domain/ticket/ticket.ts';

/** The slots of uploads by ticket in this process. One ticket has one. */
export class TicketSlots {
  /** By the ids of tickets. */
  private readonly underWay = new Map<string, ServerResponse>();

  constructor(
    private readonly slots: FairQueue<UploadJob>,
    private readonly subject: string,
  ) {}

  /**
   * A ticket is free as soon as its connection is gone; the slot is held as long as there is work.
   *
   * @returns what releases the slot
   * @throws {IdempotencyKeyInUse | Overloaded}
   */
  take({ id, space }: Ticket, response: ServerResponse): () => void {
    if (this.underWay.get(id)?.destroyed === false) throw new IdempotencyKeyInUse();
    const release = this.slots.takeNow({ subject: this.subject, space, byTicket: true });
    this.underWay.set(id, response);
    return () => {
      // Another request may have it by now.
      if (this.underWay.get(id) === response) this.underWay.delete(id);
      release();
    };
  }
}
