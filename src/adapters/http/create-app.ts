import cors from '@koa/cors';
import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Logger } from 'pino';
import type { UuidGenerator } from '../../domain/ports/uuid-generator.ts';
import { boundAccept } from './middleware/bound-accept.ts';
import { identifyRequest } from './middleware/identify-request.ts';
import { logRequests } from './middleware/log-requests.ts';
import { refuseUnrouted } from './middleware/refuse-unrouted.ts';
import type { RequestMetrics } from './middleware/request-metrics.ts';
import { respondToErrors } from './middleware/respond-to-errors.ts';

/** Origins whose pages may call the API; `*` for any. */
export type CorsOrigins = '*' | readonly string[];

export interface AppOptions {
  readonly log: Logger;
  readonly uuids: UuidGenerator;
  readonly corsOrigins: CorsOrigins;
  readonly metrics: RequestMetrics;
  readonly authenticate: Middleware;
  readonly routes: Router;
}

/** The HTTP adapter: what every request goes through, in order. */
export function createApp({ log, uuids, corsOrigins, metrics, authenticate, routes }: AppOptions): Koa {
  const app = new Koa();
  app.use(identifyRequest(log, uuids));
  app.use(logRequests());
  app.use(metrics.middleware());
  app.use(crossOrigin(corsOrigins));
  app.use(respondToErrors());
  app.use(authenticate);
  app.use(boundAccept());
  app.use(routes.routes());
  app.use(refuseUnrouted());
  // What fails after the answer has begun: all that is left is to cut the connection, which Koa does, and to say so.
  const reported = new WeakSet<Error>();
  app.on('error', (error: NodeJS.ErrnoException, ctx?: Koa.Context) => {
    // Koa tells of an error twice: from the answer that fails, and from the connection that it cuts for it.
    if (reported.has(error)) return;
    reported.add(error);
    // The client has left, or has read all of the answer and hung up; its log line tells which.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || isOfConnection(error, ctx)) return;
    (ctx?.state.log ?? log).error({ err: error }, 'answer cut off');
  });
  return app;
}

/**
 * Whether the client's connection broke. The connection is destroyed with whatever breaks an answer, so the code must fit,
 * too; a connection to a store that breaks has the same codes, but adapters translate their errors.
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

/** Preflights are answered here, without a token, which browsers do not send with them. */
function crossOrigin(origins: CorsOrigins): Middleware {
  return cors({
    origin: origins === '*' ? '*' : (ctx): string => allowedOrigin(ctx, origins),
    // `Authorization` must be listed by name: the wildcard does not cover it (Fetch standard, "CORS-preflight fetch").
    allowHeaders: REQUEST_HEADERS,
    allowMethods: ['GET', 'HEAD', 'POST', 'DELETE'],
    exposeHeaders: RESPONSE_HEADERS,
    maxAge: 7200,
  });
}

function allowedOrigin(ctx: Koa.Context, origins: readonly string[]): string {
  const origin = ctx.get('Origin');
  return origins.includes(origin) ? origin : '';
}
