import { TicketExpired, TicketInvalid } from '../../domain/errors.ts';
import type { AddressSeal } from '../../domain/ports/process/address-seal.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import { parseTicketText, type Ticket } from '../../domain/ticket/ticket.ts';
import type { LinkKeyRing } from '../links/link-key-ring.ts';

export class OpenTicket {
  constructor(
    private readonly keys: LinkKeyRing,
    private readonly tickets: Pick<AddressSeal, 'open'>,
    private readonly clock: Clock,
  ) {}

  /** @throws {TicketInvalid | TicketExpired | StorageUnavailable} */
  async execute(sealed: string): Promise<Ticket> {
    const text = await this.keys.find((secret) => this.tickets.open(secret, sealed));
    if (text === undefined) throw new TicketInvalid();
    const ticket = parseTicketText(text);
    if (this.clock.now().getTime() >= ticket.expiry) throw new TicketExpired();
    return ticket;
  }
}
