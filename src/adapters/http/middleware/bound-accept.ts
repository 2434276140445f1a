import type { Middleware } from 'koa';

/** In characters. Browsers send less than 250. */
export const MAX_ACCEPT_LENGTH = 1_000;

/**
 * Shortens a long `Accept` header to the media ranges that are complete within its first 1,000 characters; without any, it
 * becomes empty. The parser behind `ctx.accepts` takes quadratic time, at each call.
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
