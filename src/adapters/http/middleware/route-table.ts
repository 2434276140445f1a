import type Router from '@koa/router';
import type { Context } from 'koa';

/** The routes of a listener, as metrics and traces name them. */
export interface RouteTable {
  readonly routes: ReadonlyArray<{ readonly method: string; readonly name: string }>;
  /** `undefined` for an unknown path. */
  nameOf(ctx: Context): string | undefined;
}

export function routeTableOf(router: Router): RouteTable {
  return {
    routes: router.stack.flatMap(({ path, methods }) =>
      methods.map((method) => ({ method, name: String(path) })),
    ),
    nameOf: (ctx) => templateOf(ctx, router),
  };
}

/** The router notes only routes that it has reached: not those of requests that are refused before. */
function templateOf(ctx: Context & { readonly _matchedRoute?: unknown }, router: Router): string | undefined {
  if (typeof ctx._matchedRoute === 'string') return ctx._matchedRoute;
  return router.match(ctx.path, ctx.method).path.at(-1)?.path.toString();
}
