import type { MetadataPatch } from '../image/image-metadata.ts';
import type { IdempotencyKey } from '../ports/records/idempotency-keys.ts';
import type { Space } from '../space/space.ts';

export const MAX_TICKETS = 100;
export const MIN_TICKET_SECONDS = 60;
/** A day: idempotency keys live longer. */
export const MAX_TICKET_SECONDS = 86_400;
export const DEFAULT_TICKET_SECONDS = 900;

/** Lets its holder upload one image without a token. */
export interface Ticket {
  /** That of no other ticket. */
  readonly id: string;
  /** Unix milliseconds. The ticket is good before. */
  readonly expiry: number;
  /** The bytes that the file may have. */
  readonly maxBytes: number;
  /** The space of the token that made the ticket. */
  readonly space: Space;
  readonly by: string | undefined;
  /** As `checkPatch` returns it. */
  readonly metadata: MetadataPatch | undefined;
}

/** What is encrypted. */
export function ticketText({ id, expiry, maxBytes, space, by, metadata }: Ticket): string {
  return JSON.stringify([id, expiry, maxBytes, space, by ?? null, metadata ?? null]);
}

type TicketFields = readonly [
  id: string,
  expiry: number,
  maxBytes: number,
  space: Space,
  by: string | null,
  metadata: MetadataPatch | null,
];

/** @param text that `ticketText` has made */
export function parseTicketText(text: string): Ticket {
  const [id, expiry, maxBytes, space, by, metadata] = JSON.parse(text) as TicketFields;
  return { id, expiry, maxBytes, space, by: by ?? undefined, metadata: metadata ?? undefined };
}

/** No other key has this scope: those of subjects are digests. */
export const TICKET_SCOPE = 'ticket';

/** Remembers what has been uploaded with the ticket. It stays with the name of its space if that is renamed or removed. */
export function keyOfTicket({ id }: Ticket): Omit<IdempotencyKey, 'space'> {
  return { scope: TICKET_SCOPE, key: id };
}
