import type { Context, Middleware } from 'koa';
import { Overloaded } from '../../../domain/errors.ts';
import { AccessRefused } from '../auth/access-refused.ts';
import { BodyTimedOut } from '../request/body-timeout.ts';
import type { EndedRequest, HttpTelemetry } from '../telemetry/http-telemetry.ts';
import type { RouteTable } from './route-table.ts';

/** For paths that no route has. */
const NO_ROUTE = 'none';

/** Logs and counts each request at the end of its response. */
export function reportRequests(
  { requests: observer, underWay, metrics }: Pick<HttpTelemetry, 'requests' | 'underWay' | 'metrics'>,
  table: RouteTable,
): Middleware {
  for (const { method, name } of table.routes) observer.routed(method, name);
  return async (ctx, next) => {
    const start = performance.now();
    const running = underWay.began(() => ({
      route: `${ctx.method} ${table.nameOf(ctx) ?? NO_ROUTE}`,
      requestId: String(ctx.res.getHeader('X-Request-Id')),
    }));
    ctx.res.once('close', () => {
      const durationMs = performance.now() - start;
      underWay.ended(running, durationMs);
      logRequest(ctx, durationMs);
      observer.ended({ ...endOf(ctx, table), seconds: durationMs / 1000 });
      const { failure } = ctx.state;
      if (failure instanceof AccessRefused) metrics.count('auth_failures_total', failure.reason);
    });
    await next();
  };
}

export function endOf(ctx: Context, table: RouteTable): Omit<EndedRequest, 'seconds'> {
  const status = ctx.res.writableFinished ? String(ctx.res.statusCode) : 'client_left';
  return { method: ctx.method, route: table.nameOf(ctx) ?? NO_ROUTE, status };
}

/** Tells apart what has one code. Only the log shows it. */
function reasonOf(failure: unknown): string | undefined {
  return failure instanceof Overloaded || failure instanceof BodyTimedOut ? failure.reason : undefined;
}

/** The MAC or the ticket may be cut, or split by a slash. */
const UP_TO_MAC = /^(\/d(?:\/[^/]*){3}\/|\/n(?:\/[^/]*){4}\/|\/[su]\/).+$/;

/** A MAC has 43 characters, more if some are escaped. Of the segments of routes, only names can be as long. */
const LONG_SEGMENT = /[^/]{40,}/g;

/** Leaves out query, headers and bodies, because they may contain a token, the MACs of signed links, and tickets. */
function logRequest(ctx: Context, durationMs: number): void {
  const isSent = ctx.res.writableFinished;
  const facts = {
    method: ctx.method,
    // Also of paths of another shape, and on the API listener: a proxy may send links to the wrong port.
    path: ctx.path.replace(UP_TO_MAC, '$1…').replace(LONG_SEGMENT, '…'),
    status: isSent ? ctx.res.statusCode : undefined,
    code: ctx.state.errorCode,
    reason: reasonOf(ctx.state.failure),
    durationMs: Math.round(durationMs * 10) / 10,
  };
  ctx.state.log.info(facts, isSent ? 'request' : 'client left');
}
