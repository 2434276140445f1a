import type { Context, Middleware } from 'koa';
import { TicketInvalid } from '../../../domain/errors.ts';
import type { CatalogImage } from '../../../domain/image/image.ts';
import { keyOfTicket, type Ticket } from '../../../domain/ticket/ticket.ts';
import { catalogReadOnly } from '../errors/request-error.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { type ExpectedUpload, receiveUpload } from '../upload/receive-upload.ts';
import { compareUpload } from './compare-upload.ts';
import { TicketSlots } from './ticket-slots.ts';

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Content-Type, X-Content-SHA256',
  'Access-Control-Max-Age': '7200',
} as const;

/** To the limits of the service, all holders of tickets are one. */
const SUBJECT = JSON.stringify(['tickets']);

/** For paths of the form `/u/<ticket>`. Judges the ticket before the body. */
export function takeTicket(parts: RouteParts): Middleware {
  const slots = new TicketSlots(parts.uploadSlots, SUBJECT);
  return async (ctx) => {
    if (ctx.method === 'OPTIONS') {
      preflight(ctx);
      return;
    }
    const ticket = await parts.openTicket.execute(ticketOf(ctx));
    if (parts.settings.readOnly) throw catalogReadOnly();
    const { image, replayed } = await receiveUpload(parts, ctx, () => uploadWith(ticket, parts, ctx, slots));
    ctx.status = 201;
    if (replayed) ctx.set('Idempotency-Replayed', 'true');
    ctx.body = viewOf(image);
  };
}

function preflight(ctx: Context): void {
  ctx.set(PREFLIGHT_HEADERS);
  ctx.status = 204;
}

/** @throws {TicketInvalid} */
function ticketOf(ctx: Context): string {
  if (ctx.url.includes('?')) throw new TicketInvalid();
  return ctx.path.split('/')[2] ?? '';
}

function uploadWith(ticket: Ticket, parts: RouteParts, ctx: Context, slots: TicketSlots): ExpectedUpload {
  const { space, by, maxBytes, metadata } = ticket;
  const { uploadByTicket, settings } = parts;
  // The limit of the service may be another one than when the ticket was made.
  const rules = { maxFileBytes: Math.min(maxBytes, settings.upload.maxBytes), takesMetadata: false };
  return {
    space,
    subject: SUBJECT,
    by: settings.recordActor ? by : undefined,
    rules,
    key: keyOfTicket(ticket),
    takeSlot: (leaving) => slots.take(ticket, { response: ctx.res, leaving }),
    repeat: async (headers, slot) => {
      const use = await uploadByTicket.findUse(ticket);
      if (use === undefined) return undefined;
      return uploadByTicket.replay(use, await compareUpload(parts, ctx, { rules, headers, slot }, use));
    },
    store: async (upload) => await uploadByTicket.execute({ ...upload, metadata }, ticket),
  };
}

/** An allow-list of fields (section 16 of the contract): of the image itself, and none of the catalog. */
function viewOf({ id, mediaType, size, width, height, sha256, thumbhash, createdAt }: CatalogImage): object {
  return { id, mediaType, size, width, height, sha256, thumbhash, createdAt: createdAt.toISOString() };
}
