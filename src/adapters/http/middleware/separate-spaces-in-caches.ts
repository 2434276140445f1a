import type { Middleware } from 'koa';
import { forbidStoringOfSpace } from '../response/forbid-storing.ts';

/**
 * Keeps caches from using the response of one space for another.
 *
 * @param isChoosable whether the header `Space` can choose the space
 */
export function separateSpacesInCaches(isChoosable: boolean): Middleware {
  return async (ctx, next) => {
    if (isChoosable) ctx.vary('Space');
    await next();
    // Streams have sent their headers by now: see `sendReply`.
    if (!ctx.headerSent) forbidStoringOfSpace(ctx);
  };
}
