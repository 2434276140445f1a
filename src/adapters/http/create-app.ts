import Router, { type RouterContext } from '@koa/router';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import type { z } from 'zod';
import { COMMON_SPACE } from '../../domain/space/space.ts';
import { checkScope } from './auth/access-refused.ts';
import { requireSpace } from './auth/token-space.ts';
import { createListenerApp, type ListenerAppOptions } from './create-listener-app.ts';
import { catalogReadOnly } from './errors/request-error.ts';
import { type CorsOrigins, crossOrigin } from './middleware/cross-origin.ts';
import { refuseUnrouted } from './middleware/refuse-unrouted.ts';
import type { RouteTable } from './middleware/report-requests.ts';
import { respondToErrors } from './middleware/respond-to-errors.ts';
import type { BodyTimeoutOptions } from './request/body-timeout.ts';
import { parseJson } from './request/parse-json.ts';
import { readQuery, refuseQuery } from './request/read-query.ts';
import { receiveJson } from './request/receive-json.ts';
import { type AnyReply, sendReply } from './response/send-reply.ts';
import type { Operation, Scopes } from './route/operation.ts';
import { readId, readName } from './route/path-parameters.ts';
import type { RouteParts } from './route/route-parts.ts';
import { type OperationId, type Operations, ROUTES } from './routes.ts';

interface RouteSettings {
  readonly scopes: Scopes;
  /** `undefined`: all tokens use the common space. */
  readonly spaceClaim: string | undefined;
  readonly readOnly: boolean;
  /** Of JSON bodies. */
  readonly timeouts: BodyTimeoutOptions;
}

export interface AppOptions extends ListenerAppOptions {
  readonly corsOrigins: CorsOrigins;
  /** The origin of the gallery, which is always allowed; `undefined` if there is none. */
  readonly webOrigin: () => string | undefined;
  readonly authenticate: Middleware;
  readonly operations: Operations;
  readonly routes: RouteSettings;
  readonly parts: RouteParts;
}

/** All that a request to the API passes, in this order. */
export function createApp(options: AppOptions): Koa {
  const { corsOrigins, webOrigin, requireUsable, authenticate } = options;
  const router = createRouter(options);
  const app = createListenerApp(options, routeTableOf(router));
  app.use(crossOrigin(corsOrigins, webOrigin));
  app.use(respondToErrors(requireUsable));
  app.use(authenticate);
  app.use(router.routes());
  app.use(refuseUnrouted());
  return app;
}

function createRouter({ operations, routes, parts }: AppOptions): Router {
  const router = new Router({ strict: true, sensitive: true });
  for (const id of Object.keys(ROUTES) as OperationId[]) {
    // The key relates both types, which the compiler cannot follow in a loop.
    addRoute(router, operations[id], ROUTES[id].handler as AnyHandler, { ...routes, parts });
  }
  return router;
}

/** A handler without the types of its operation. */
type AnyHandler = (input: object, parts: RouteParts) => Promise<AnyReply | undefined>;

function addRoute(
  router: Router,
  operation: Operation,
  handler: AnyHandler,
  { scopes, spaceClaim, readOnly, timeouts, parts }: RouteSettings & Pick<AppOptions, 'parts'>,
): void {
  const { method, path, access, needsNoSpace, changesCatalog } = operation;
  const scope = access === 'public' ? undefined : scopes[access];
  const claim = access === 'public' || needsNoSpace === true ? undefined : spaceClaim;
  const isRefused = readOnly && changesCatalog === true;
  const receive = receiverOf(operation, timeouts);
  router[method](path, async (ctx) => {
    if (scope !== undefined) checkScope(scope, ctx.state.auth);
    const space = claim === undefined ? COMMON_SPACE : requireSpace(ctx.state.auth, claim);
    // After the scope and the space, so that callers without them do not see the read-only state.
    if (isRefused) throw catalogReadOnly();
    const name = path.includes('/:name') ? readName(ctx.params['name']) : undefined;
    const query = queryOf(ctx, operation.query);
    const body = await receive(ctx);
    const id = path.includes('/:id') ? readId(ctx.params['id']) : undefined;
    const reply = await handler({ ctx, space, query, id, name, body }, parts);
    // Handlers of bytes have written to the context themselves.
    if (reply !== undefined) await sendReply(ctx, reply);
  });
}

function queryOf(ctx: Context, schema: z.ZodObject | undefined): unknown {
  if (schema !== undefined) return readQuery(ctx.querystring, schema);
  if (ctx.querystring !== '') refuseQuery(ctx.querystring);
  return undefined;
}

type ReceiveBody = (ctx: RouterContext) => Promise<(() => unknown) | undefined>;

function receiverOf({ json }: Operation, timeouts: BodyTimeoutOptions): ReceiveBody {
  if (json === undefined) return async () => undefined;
  const { schema, ...rules } = json;
  const receive = receiveJson({ ...rules, ...timeouts });
  return async (ctx) => {
    const bytes = await receive(ctx);
    return () => parseJson(bytes, schema);
  };
}

function routeTableOf(router: Router): RouteTable {
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
