import type { Context } from 'koa';
import { hasSpaceHeader } from '../request/space-header.ts';

/** Changes the `Cache-Control` of JSON in response to a request with the header `Space`, and of no other response. */
export function forbidStoringOfSpace(ctx: Context): void {
  if (!hasSpaceHeader(ctx) || ctx.response.is('json') === false) return;
  const cacheControl = ctx.res.getHeader('Cache-Control');
  ctx.set('Cache-Control', forbidStoring(typeof cacheControl === 'string' ? cacheControl : ''));
}

/** The `Cache-Control` of JSON in response to a request with the header `Space`. */
export function forbidStoring(cacheControl: string): string {
  return cacheControl.includes('no-transform') ? 'no-store, no-transform' : 'no-store';
}
