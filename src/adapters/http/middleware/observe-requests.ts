import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { authFailureOf } from '../auth/auth-failure.ts';
import type { EndedRequest, RequestObserver } from '../telemetry.ts';

/** For paths that no route has. */
const NO_ROUTE = 'none';

/** Counts from here to the end of the response. */
export function observeRequests(observer: RequestObserver, routes: Router): Middleware {
  for (const { path, methods } of routes.stack) {
    for (const method of methods) observer.routed(method, String(path));
  }
  return async (ctx, next) => {
    const start = performance.now();
    observer.began();
    ctx.res.once('close', () => {
      observer.ended({ ...endOf(ctx, routes), seconds: (performance.now() - start) / 1000 });
      const reason = authFailureOf(ctx.state.failure);
      if (reason !== undefined) observer.refused(reason);
    });
    await next();
  };
}

export function endOf(ctx: Context, routes: Router): Omit<EndedRequest, 'seconds'> {
  const status = ctx.res.writableFinished ? String(ctx.res.statusCode) : 'client_left';
  return { method: ctx.method, route: routeOf(ctx, routes), status };
}

/** The router notes only routes that it has reached: not those of requests that are refused before. */
function routeOf(ctx: Context & { readonly _matchedRoute?: unknown }, routes: Router): string {
  if (typeof ctx._matchedRoute === 'string') return ctx._matchedRoute;
  return String(routes.match(ctx.path, ctx.method).path.at(-1)?.path ?? NO_ROUTE);
}
