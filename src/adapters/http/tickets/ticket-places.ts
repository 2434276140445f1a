import type { ServerResponse } from 'node:http';
import type { SubjectShares } from '../../../application/concurrency/subject-shares.ts';
import { IdempotencyKeyInUse } from '../../../domain/errors.ts';
import type { Ticket } from '../../../domain/ticket/ticket.ts';

/** The places of uploads by ticket in this process: a share of all for tickets, a share of it for a space, one for a ticket. */
export class TicketPlaces {
  private readonly places: SubjectShares;
  /** By the ids of tickets. */
  private readonly underWay = new Map<string, ServerResponse>();

  /** @param subject holds the share of all tickets */
  constructor(uploads: SubjectShares, subject: string) {
    this.places = uploads.within(subject);
  }

  /**
   * A ticket is free as soon as its connection is gone; the place is held as long as there is work.
   *
   * @returns what releases the place
   * @throws {IdempotencyKeyInUse | Overloaded}
   */
  take({ id, space }: Ticket, response: ServerResponse): () => void {
    if (this.underWay.get(id)?.destroyed === false) throw new IdempotencyKeyInUse();
    const release = this.places.take(space);
    this.underWay.set(id, response);
    return () => {
      // Another request may have it by now.
      if (this.underWay.get(id) === response) this.underWay.delete(id);
      release();
    };
  }
}
