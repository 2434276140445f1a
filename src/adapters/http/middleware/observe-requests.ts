import type { Context, Middleware } from 'koa';
import { AccessRefused } from '../auth/access-refused.ts';
import type { EndedRequest, RequestObserver } from '../telemetry.ts';
import type { RouteTable } from './route-table.ts';

/** For paths that no route has. */
const NO_ROUTE = 'none';

/** Counts from here to the end of the response. */
export function observeRequests(observer: RequestObserver, table: RouteTable): Middleware {
  for (const { method, name } of table.routes) observer.routed(method, name);
  return async (ctx, next) => {
    const start = performance.now();
    observer.began();
    ctx.res.once('close', () => {
      observer.ended({ ...endOf(ctx, table), seconds: (performance.now() - start) / 1000 });
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
