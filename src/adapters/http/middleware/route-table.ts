import type { Layer, Router } from '@koa/router';
import type { Context } from 'koa';

/** The routes of a listener, as metrics and traces name them. */
export interface RouteTable {
  readonly routes: ReadonlyArray<{ readonly method: string; readonly name: string }>;
  /** `undefined` for an unknown path. */
  nameOf(ctx: Context): string | undefined;
}

/** What the router notes of a route that it has reached. */
interface MatchedRoute {
  readonly _matchedRoute?: string;
  readonly _matchedRouteName?: string;
}

/** @param prefix of the names, which are the paths of the routes unless they have a name */
export function routeTableOf(router: Router, prefix = ''): RouteTable {
  const nameOf = ({ name, path }: Pick<Layer, 'name' | 'path'>): string => `${prefix}${name ?? String(path)}`;
  const routes = router.stack.flatMap((layer) =>
    layer.methods.map((method) => ({ method, name: nameOf(layer) })),
  );
  return {
    routes,
    nameOf: (ctx: Context & MatchedRoute) => {
      if (ctx._matchedRoute !== undefined) return `${prefix}${ctx._matchedRouteName ?? ctx._matchedRoute}`;
      // A request that is refused before has not reached it.
      const layer = router.match(ctx.path, ctx.method).path.at(-1);
      return layer && nameOf(layer);
    },
  };
}
