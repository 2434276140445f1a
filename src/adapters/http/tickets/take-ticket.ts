import type { Context, Middleware } from 'koa';
import type { UploadResult } from '../../../application/upload/upload-image.ts';
import { TicketInvalid } from '../../../domain/errors.ts';
import type { CatalogImage } from '../../../domain/image/image.ts';
import { keyOfTicket, type Ticket } from '../../../domain/ticket/ticket.ts';
import { catalogReadOnly } from '../errors/request-error.ts';
import { leavingOf } from '../request/leaving-of.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { finishUpload } from '../upload/finish-upload.ts';
import { incomingForm } from '../upload/incoming-form.ts';

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Content-Type, X-Content-SHA256',
  'Access-Control-Max-Age': '7200',
} as const;

/** To the limits of the service, all holders of tickets are one. */
const SUBJECT = JSON.stringify(['tickets']);

/** For paths of the form `/u/<ticket>`. Judges the ticket before the body. */
export function takeTicket(parts: RouteParts): Middleware {
  return async (ctx) => {
    if (ctx.method === 'OPTIONS') {
      preflight(ctx);
      return;
    }
    const ticket = await parts.openTicket.execute(ticketOf(ctx));
    if (parts.settings.readOnly) throw catalogReadOnly();
    const { image, replayed } = await finishUpload(parts, ctx, upload(ticket, parts, ctx));
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

async function upload(ticket: Ticket, parts: RouteParts, ctx: Context): Promise<UploadResult> {
  const { space, by, maxBytes } = ticket;
  const { uploadImage, settings } = parts;
  // The limit of the service may be another one than when the ticket was made.
  const maxFileBytes = Math.min(maxBytes, settings.upload.maxBytes);
  return await uploadImage.execute({
    space,
    requester: { subject: SUBJECT, signal: leavingOf(ctx) },
    by: settings.recordActor ? by : undefined,
    key: keyOfTicket(ticket),
    ticket,
    file: incomingForm(parts, ctx, { maxFileBytes, takesMetadata: false }),
  });
}

/** An allow-list of fields (section 16 of the contract): of the image itself, and none of the catalog. */
function viewOf({ id, mediaType, size, width, height, sha256, thumbhash, createdAt }: CatalogImage): object {
  return { id, mediaType, size, width, height, sha256, thumbhash, createdAt: createdAt.toISOString() };
}
