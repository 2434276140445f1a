import type { Middleware } from 'koa';
import { namesSpace } from '../request/space-header.ts';

/**
 * Keeps caches from using the response of one space for another.
 *
 * @param isChoosable whether the header `Space` can choose the space
 */
export function varyBySpace(isChoosable: boolean): Middleware {
  return async (ctx, next) => {
    if (isChoosable) ctx.vary('Space');
    await next();
    // The headers of a stream are sent already: a stream of JSON is never stored.
    if (!namesSpace(ctx) || ctx.headerSent || ctx.response.is('json') === false) return;
    ctx.set('Cache-Control', withoutStoring(String(ctx.res.getHeader('Cache-Control'))));
  };
}

/** Of a response to a request with the header `Space`. */
export function withoutStoring(cacheControl: string): string {
  return cacheControl.includes('no-transform') ? 'no-store, no-transform' : 'no-store';
}
