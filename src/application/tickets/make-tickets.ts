import type { AddressSeal } from '../../domain/ports/process/address-seal.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';
import { type Ticket, ticketText } from '../../domain/ticket/ticket.ts';
import type { LinkKeyRing } from '../links/link-key-ring.ts';

export interface TicketsRequest extends Omit<Ticket, 'id' | 'expiry'> {
  /** 1 or more. */
  readonly count: number;
  /** From `MIN_TICKET_SECONDS` to `MAX_TICKET_SECONDS`. */
  readonly ttlSeconds: number;
}

export interface MadeTickets {
  /** When all of them end. */
  readonly expiresAt: Date;
  /** Characters of base64url. */
  readonly tickets: readonly string[];
}

/** Stores nothing: a ticket holds all that an upload needs. */
export class MakeTickets {
  constructor(
    private readonly keys: LinkKeyRing,
    private readonly tickets: Pick<AddressSeal, 'seal'>,
    private readonly uuids: UuidGenerator,
    private readonly clock: Clock,
  ) {}

  /** @throws {StorageUnavailable} */
  async execute({ count, ttlSeconds, ...terms }: TicketsRequest): Promise<MadeTickets> {
    const expiry = this.clock.now().getTime() + ttlSeconds * 1000;
    const secret = await this.keys.newest();
    const tickets = Array.from({ length: count }, () =>
      this.tickets.seal(secret, ticketText({ id: this.uuids.next(), expiry, ...terms })),
    );
    return { expiresAt: new Date(expiry), tickets };
  }
}
