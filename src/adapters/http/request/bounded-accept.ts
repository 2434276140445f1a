import type { Context } from 'koa';

/** In characters. Browsers send less than 250. */
const MAX_ACCEPT_LENGTH = 1_000;

/** `ctx.accepts` of the media ranges that end in the first 1,000 characters: its parser takes quadratic time, at each call. */
export function boundedAccept(ctx: Context): Context['accepts'] {
  const { headers } = ctx.req;
  if (headers.accept !== undefined && headers.accept.length > MAX_ACCEPT_LENGTH) {
    headers.accept = completeRanges(headers.accept.slice(0, MAX_ACCEPT_LENGTH + 1));
  }
  return ctx.accepts.bind(ctx);
}

function completeRanges(accept: string): string {
  return accept.slice(0, Math.max(0, accept.lastIndexOf(',')));
}
