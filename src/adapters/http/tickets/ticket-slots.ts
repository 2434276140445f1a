import type { ServerResponse } from 'node:http';
import type { UploadSlot, UploadSlots } from '../../../application/upload/upload-slots.ts';
import { IdempotencyKeyInUse } from '../../../domain/errors.ts';
import type { Ticket } from '../../../domain/ticket/ticket.ts';

/** The request of a ticket that has its slot, or waits for one. */
interface TicketRequest {
  readonly response: ServerResponse;
  readonly leaving: AbortSignal;
}

/** The slots of uploads by ticket in this process. One ticket has one. */
export class TicketSlots {
  /** By the ids of tickets. */
  private readonly underWay = new Map<string, ServerResponse>();

  constructor(
    private readonly slots: UploadSlots,
    private readonly subject: string,
  ) {}

  /**
   * A ticket is free as soon as its connection is gone; the slot is held as long as there is work.
   *
   * @throws {IdempotencyKeyInUse | Overloaded}
   */
  async take({ id, space }: Ticket, { response, leaving }: TicketRequest): Promise<UploadSlot> {
    if (this.underWay.get(id)?.destroyed === false) throw new IdempotencyKeyInUse();
    this.underWay.set(id, response);
    try {
      const slot = await this.slots.take({ subject: this.subject, space, byTicket: true }, leaving);
      return this.freeingTicket(slot, id, response);
    } catch (error) {
      this.forget(id, response);
      throw error;
    }
  }

  private freeingTicket(slot: UploadSlot, id: string, response: ServerResponse): UploadSlot {
    return {
      setArriving: (body) => slot.setArriving(body),
      release: () => {
        this.forget(id, response);
        slot.release();
      },
    };
  }

  /** Another request may have the ticket by now. */
  private forget(id: string, response: ServerResponse): void {
    if (this.underWay.get(id) === response) this.underWay.delete(id);
  }
}
