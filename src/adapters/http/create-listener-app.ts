import Koa from 'koa';
import type { Logger } from 'pino';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';
import { imageFactsOf } from './errors/image-facts-of.ts';
import { identifyRequest } from './middleware/identify-request.ts';
import { reportRequests } from './middleware/report-requests.ts';
import type { RouteTable } from './middleware/route-table.ts';
import { traceRequests } from './middleware/trace-requests.ts';
import type { HttpTelemetry } from './telemetry/http-telemetry.ts';

export interface ListenerAppOptions {
  readonly log: Logger;
  readonly uuids: UuidGenerator;
  readonly telemetry: HttpTelemetry;
  /** Throws if a later version has migrated the catalog. */
  readonly requireUsable: () => void;
}

/** Identifies, logs and measures the requests of a public listener. */
export function createListenerApp({ log, uuids, telemetry }: ListenerAppOptions, table: RouteTable): Koa {
  const app = new Koa();
  if (telemetry.tracer !== undefined) app.use(traceRequests(telemetry.tracer, table));
  app.use(identifyRequest(log, uuids));
  app.use(reportRequests(telemetry, table));
  // An error after the response has begun: Koa closes the connection, and this logs it.
  const reported = new WeakSet<Error>();
  app.on('error', (error: NodeJS.ErrnoException, ctx?: Koa.Context) => {
    // Koa reports an error twice: from the response that fails, and from the connection that it closes.
    if (reported.has(error)) return;
    reported.add(error);
    // The client left, or closed the connection after reading the response. The line of `reportRequests` says which.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || isOfConnection(error, ctx)) return;
    const facts = { err: error, imageId: ctx?.state.imageId, ...imageFactsOf(error) };
    (ctx?.state.log ?? log).error(facts, 'response cut off');
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
