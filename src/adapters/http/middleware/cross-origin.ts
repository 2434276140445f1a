import cors from '@koa/cors';
import type { Context, Middleware } from 'koa';

export type CorsOrigins = '*' | readonly string[];

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

/** Before authentication: browsers send no token with preflights. */
export function crossOrigin(origins: CorsOrigins, webOrigin: () => string | undefined): Middleware {
  return cors({
    origin: origins === '*' ? '*' : (ctx): string => allowedOrigin(ctx, origins, webOrigin()),
    // `Authorization` must be listed by name: the wildcard does not cover it (Fetch standard, "CORS-preflight fetch").
    allowHeaders: REQUEST_HEADERS,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: RESPONSE_HEADERS,
    maxAge: 7200,
  });
}

function allowedOrigin(ctx: Context, origins: readonly string[], webOrigin: string | undefined): string {
  const origin = ctx.get('Origin');
  return origins.includes(origin) || origin === webOrigin ? origin : '';
}
