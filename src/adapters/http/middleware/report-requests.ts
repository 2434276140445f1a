import type { Context, Middleware } from 'koa';
import { AccessRefused } from '../auth/access-refused.ts';
import type { EndedRequest, RequestObserver } from '../telemetry.ts';
import type { RouteTable } from './route-table.ts';

/** For paths that no route has. */
const NO_ROUTE = 'none';

/** Logs and counts each request at the end of its response. */
export function reportRequests(observer: RequestObserver, table: RouteTable): Middleware {
  for (const { method, name } of table.routes) observer.routed(method, name);
  return async (ctx, next) => {
    const start = performance.now();
    observer.began();
    ctx.res.once('close', () => {
      const durationMs = performance.now() - start;
      logRequest(ctx, durationMs);
      observer.ended({ ...endOf(ctx, table), seconds: durationMs / 1000 });
      const { failure } = ctx.state;
      if (failure instanceof AccessRefused) observer.refused(failure.reason);
    });
    await next();
  };
}

export function endOf(ctx: Context, table: RouteTable): Omit<EndedRequest, 'seconds'> {
  const status = ctx.res.writableFinished ? String(ctx.res.statusCode) : 'client_left';
  return { method: ctx.method, route: table.nameOf(ctx) ?? NO_ROUTE, status };
}

/** Leaves out query, headers and bodies, because they may contain a token, and the MACs of signed links. */
function logRequest(ctx: Context, durationMs: number): void {
  const isSent = ctx.res.writableFinished;
  const facts = {
    method: ctx.method,
    path: withoutMacs(ctx.path),
    status: isSent ? ctx.res.statusCode : undefined,
    code: ctx.state.errorCode,
    durationMs: Math.round(durationMs * 10) / 10,
  };
  ctx.state.log.info(facts, isSent ? 'request' : 'client left');
}

/** The MAC may be cut, or split by a slash. */
const UP_TO_MAC = /^(\/d(?:\/[^/]*){3}\/).+$/;

/** A MAC has 43 characters, more if some are escaped. No segment of a route is as long. */
const LONG_SEGMENT = /[^/]{40,}/g;

/** Also of paths of another shape, and on the API listener: a proxy may send links to the wrong port. */
function withoutMacs(path: string): string {
  return path.replace(UP_TO_MAC, '$1…').replace(LONG_SEGMENT, '…');
}
