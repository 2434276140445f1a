import { MAX_TICKET_SECONDS } from '../../../src/domain/ticket/ticket.ts';
import { MAX_FILE_BYTES } from '../catalog-process.ts';
import { type HeldTicket, PICTURES, type Picture, spaceOf } from '../ledger.ts';
import type { Operation } from '../schedule.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { OperationKind } from './operation-kind.ts';
import { send, TRIES } from './uploads.ts';

/** One process has made the ticket; some clients send the file to two others at once. */
export const UPLOAD_BY_TICKET: OperationKind = {
  weight: 5,
  run: async (catalog, operation) => {
    const key = `ticket-${operation.key}`;
    const ticket = await someTicket(catalog, operation, key);
    if (ticket === undefined) return;
    const { ledger } = catalog;
    const sent = ledger.wants({
      space: spaceOf(operation),
      name: `picture-${ledger.sent.size + 1}.jpg`,
      picture: PICTURES[Math.floor(operation.picture / 2)] as Picture,
      key,
      ticket,
      title: ticket.title,
    });
    const sendTo = (place: number): Promise<boolean> => send(catalog, catalog.process(place), sent);
    if (operation.choice === 0) {
      const outcomes = await Promise.all([sendTo(operation.process + 1), sendTo(operation.process + 2)]);
      if (outcomes.includes(true)) return;
    }
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      if (await sendTo(operation.process + attempt)) return;
    }
  },
};

/** Few in a space, so that clients meet. */
async function someTicket(
  catalog: SimulatedCatalog,
  operation: Operation,
  name: string,
): Promise<HeldTicket | undefined> {
  const space = spaceOf(operation);
  const place = `${space}/${name}`;
  const held = catalog.tickets.get(place);
  if (held !== undefined) return held;
  const title = operation.key === 0 ? undefined : 'Holiday';
  const request = {
    count: 1,
    ttlSeconds: MAX_TICKET_SECONDS,
    maxBytes: MAX_FILE_BYTES,
    space,
    by: undefined,
    metadata: title === undefined ? undefined : { title },
  };
  const { makeTickets } = catalog.process(operation.process);
  const made = await catalog.attempt(() => makeTickets.execute(request));
  if (made.state !== 'done') return undefined;
  const { tickets, expiresAt } = made.value;
  const ticket = catalog.tickets.get(place) ?? { sealed: tickets[0] ?? '', expiresAt, title };
  catalog.tickets.set(place, ticket);
  // A process reads the keys again after a second.
  catalog.passTime(1001);
  return ticket;
}
