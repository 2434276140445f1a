import cors from '@koa/cors';
import type Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { createListenerApp, type ListenerAppOptions } from './create-listener-app.ts';
import { routeTableOf } from './create-routes.ts';
import { refuseUnrouted } from './middleware/refuse-unrouted.ts';
import { respondToErrors } from './middleware/respond-to-errors.ts';

export type CorsOrigins = '*' | readonly string[];

export interface AppOptions extends ListenerAppOptions {
  readonly corsOrigins: CorsOrigins;
  /** The origin of the gallery, which is always allowed; `undefined` if there is none. */
  readonly webOrigin: () => string | undefined;
  readonly authenticate: Middleware;
  readonly routes: Router;
}

export function createApp(options: AppOptions): Koa {
  const { corsOrigins, webOrigin, requireUsable, authenticate, routes } = options;
  const app = createListenerApp(options, routeTableOf(routes));
  app.use(crossOrigin(corsOrigins, webOrigin));
  app.use(respondToErrors(requireUsable));
  app.use(authenticate);
  app.use(routes.routes());
  app.use(refuseUnrouted());
  return app;
}

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
function crossOrigin(origins: CorsOrigins, webOrigin: () => string | undefined): Middleware {
  return cors({
    origin: origins === '*' ? '*' : (ctx): string => allowedOrigin(ctx, origins, webOrigin()),
    // `Authorization` must be listed by name: the wildcard does not cover it (Fetch standard, "CORS-preflight fetch").
    allowHeaders: REQUEST_HEADERS,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: RESPONSE_HEADERS,
    maxAge: 7200,
  });
}

function allowedOrigin(ctx: Koa.Context, origins: readonly string[], webOrigin: string | undefined): string {
  const origin = ctx.get('Origin');
  return origins.includes(origin) || origin === webOrigin ? origin : '';
}
