import cors from '@koa/cors';
import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Logger } from 'pino';
import type { UuidGenerator } from '../../domain/ports/uuid-generator.ts';
import { boundAccept } from './middleware/bound-accept.ts';
import { identifyRequest } from './middleware/identify-request.ts';
import { logRequests } from './middleware/log-requests.ts';
import { observeRequests } from './middleware/observe-requests.ts';
import { refuseUnrouted } from './middleware/refuse-unrouted.ts';
import { respondToErrors } from './middleware/respond-to-errors.ts';
import { traceRequests } from './middleware/trace-requests.ts';
import type { HttpTelemetry } from './telemetry.ts';

export type CorsOrigins = '*' | readonly string[];

export interface AppOptions {
  readonly log: Logger;
  readonly uuids: UuidGenerator;
  readonly corsOrigins: CorsOrigins;
  readonly telemetry: Pick<HttpTelemetry, 'requests' | 'tracer'>;
  readonly authenticate: Middleware;
  readonly routes: Router;
}

export function createApp({ log, uuids, corsOrigins, telemetry, authenticate, routes }: AppOptions): Koa {
  const app = new Koa();
  if (telemetry.tracer !== undefined) app.use(traceRequests(telemetry.tracer, routes));
  app.use(identifyRequest(log, uuids));
  app.use(logRequests());
  app.use(observeRequests(telemetry.requests, routes));
  app.use(crossOrigin(corsOrigins));
  app.use(respondToErrors());
  app.use(authenticate);
  app.use(boundAccept());
  app.use(routes.routes());
  app.use(refuseUnrouted());
  // An error after the response has begun: Koa closes the connection, and this logs it.
  const reported = new WeakSet<Error>();
  app.on('error', (error: NodeJS.ErrnoException, ctx?: Koa.Context) => {
    // Koa reports an error twice: from the response that fails, and from the connection that it closes.
    if (reported.has(error)) return;
    reported.add(error);
    // The client left, or closed the connection after reading the response. The line of `logRequests` says which.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || isOfConnection(error, ctx)) return;
    (ctx?.state.log ?? log).error({ err: error }, 'response cut off');
  });
  return app;
}

/**
 * Koa destroys the connection with any error of a response, so the code is compared as well. Connections to stores have the
 * same codes, but adapters translate them.
 */
function isOfConnection(error: NodeJS.ErrnoException, ctx: Koa.Context | undefined): boolean {
  return (error.code === 'ECONNRESET' || error.code === 'EPIPE') && ctx?.req.socket.errored === error;
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
  'Range',
  'X-Content-SHA256',
  'X-Request-Id',
];

const RESPONSE_HEADERS = [
  'Accept-Patch',
  'Content-Disposition',
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
function crossOrigin(origins: CorsOrigins): Middleware {
  return cors({
    origin: origins === '*' ? '*' : (ctx): string => allowedOrigin(ctx, origins),
    // `Authorization` must be listed by name: the wildcard does not cover it (Fetch standard, "CORS-preflight fetch").
    allowHeaders: REQUEST_HEADERS,
    allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposeHeaders: RESPONSE_HEADERS,
    maxAge: 7200,
  });
}

function allowedOrigin(ctx: Koa.Context, origins: readonly string[]): string {
  const origin = ctx.get('Origin');
  return origins.includes(origin) ? origin : '';
}
