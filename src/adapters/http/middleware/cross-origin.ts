import cors from '@koa/cors';
import type { Context, Middleware } from 'koa';
import type { HttpSettings } from '../route/http-settings.ts';

const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Range',
  'If-Unmodified-Since',
  'Last-Event-ID',
  'Range',
  'Space',
  'X-Content-SHA256',
  'X-Request-Id',
];

const RESPONSE_HEADERS = [
  'Accept-Patch',
  'Changes-Cursor',
  'Content-Disposition',
  'Content-Location',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Repr-Digest',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-Total-Count',
];

/**
 * Before authentication: browsers send no token with preflights.
 *
 * @param webUrl the gallery, whose origin is always allowed; `undefined` if there is none
 */
export function crossOrigin(
  origins: HttpSettings['corsOrigins'],
  webUrl: (() => string) | undefined,
): Middleware {
  return cors({
    origin: origins === '*' ? '*' : (ctx): string => allowedOrigin(ctx, origins, webUrl?.()),
    // `Authorization` must be listed by name: the wildcard does not cover it (Fetch standard, "CORS-preflight fetch").
    allowHeaders: REQUEST_HEADERS,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: RESPONSE_HEADERS,
    maxAge: 7200,
  });
}

function allowedOrigin(ctx: Context, origins: readonly string[], webUrl: string | undefined): string {
  const origin = ctx.get('Origin');
  const isGallery = webUrl !== undefined && origin === new URL(webUrl).origin;
  return isGallery || origins.includes(origin) ? origin : '';
}

/**
 * The CORS headers of responses to requests that the server could not read, and whose origin it does not know. Without them a page
 * cannot tell a token that is too long from a service that is down.
 */
export function refusalHeaders(origins: HttpSettings['corsOrigins']): Readonly<Record<string, string>> {
  if (origins !== '*') return {};
  return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'X-Request-Id' };
}
