import type { Middleware } from 'koa';

/** In characters. Browsers send less than 250. */
export const MAX_ACCEPT_LENGTH = 1_000;

/**
 * Drops media ranges past the first 1,000 characters: the parser behind `ctx.accepts` takes quadratic time, at each call.
 */
export function boundAccept(): Middleware {
  return async (ctx, next) => {
    const { headers } = ctx.req;
    if (headers.accept !== undefined && headers.accept.length > MAX_ACCEPT_LENGTH) {
      headers.accept = completeRanges(headers.accept.slice(0, MAX_ACCEPT_LENGTH + 1));
    }
    await next();
  };
}

function completeRanges(accept: string): string {
  return accept.slice(0, Math.max(0, accept.lastIndexOf(',')));
}
