import Router from '@koa/router';
import type Koa from 'koa';
import { checkScope } from './auth/access-refused.ts';
import { authenticate } from './auth/authenticate.ts';
import { spaceChooser } from './auth/choose-space.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import { createListenerApp, type ListenerAppOptions } from './create-listener-app.ts';
import { catalogReadOnly } from './errors/request-error.ts';
import { crossOrigin } from './middleware/cross-origin.ts';
import { refuseUnrouted } from './middleware/refuse-unrouted.ts';
import { respondToErrors } from './middleware/respond-to-errors.ts';
import { routeTableOf } from './middleware/route-table.ts';
import { separateSpacesInCaches } from './middleware/separate-spaces-in-caches.ts';
import { parseJson } from './request/parse-json.ts';
import { readQuery, requireEncodedQuery } from './request/read-query.ts';
import { receiveJson } from './request/receive-json.ts';
import { sendReply } from './response/send-reply.ts';
import { JSON_REQUEST, type Operation } from './route/operation.ts';
import { readId, readName } from './route/path-parameters.ts';
import type { AnyHandler } from './route/route.ts';
import type { RouteParts } from './route/route-parts.ts';

export interface AppOptions extends ListenerAppOptions {
  /** Of paths that both match, the first one gets the request. */
  readonly routes: ReadonlyArray<{ readonly operation: Operation; readonly handler: AnyHandler }>;
  readonly parts: RouteParts;
  readonly signingKeys: SigningKeys;
}

/** All that a request to the API passes, in this order. */
export function createApp(options: AppOptions): Koa {
  const { routes, parts, signingKeys, requireUsable, telemetry } = options;
  const { settings, webUrl, clock } = parts;
  const { idp, recordActor, corsOrigins, scopes } = settings;
  const router = new Router({ strict: true, sensitive: true });
  for (const { operation, handler } of routes) addRoute(router, operation, handler, parts);
  const app = createListenerApp(options, routeTableOf(router));
  app.use(crossOrigin(corsOrigins, webUrl));
  app.use(separateSpacesInCaches(scopes.allSpaces !== undefined));
  app.use(respondToErrors(requireUsable));
  app.use(authenticate({ ...idp, recordActor, signingKeys, clock, tracer: telemetry.tracer }));
  app.use(router.routes());
  app.use(refuseUnrouted());
  return app;
}

function addRoute(router: Router, operation: Operation, handler: AnyHandler, parts: RouteParts): void {
  const { method, path, access, changesCatalog, query: querySchema, json, responses } = operation;
  const { scopes, readOnly, upload } = parts.settings;
  const scope = access === 'public' ? undefined : scopes[access];
  const chooseSpace = spaceChooser(operation, parts.settings);
  const isRefused = readOnly && changesCatalog === true;
  const receive =
    json &&
    receiveJson({ ...JSON_REQUEST, ...json, timer: parts.timer, stallTimeoutMs: upload.stallTimeoutMs });
  router[method](path, async (ctx) => {
    if (scope !== undefined) checkScope(scope, ctx.state.auth);
    const space = chooseSpace(ctx);
    // After the scope and the space, so that callers without them do not see the read-only state.
    if (isRefused) throw catalogReadOnly();
    const name = path.includes('/:name') ? readName(ctx.params['name']) : undefined;
    if (operation.spansSpaces === true) requireEncodedQuery(ctx.querystring);
    const query = readQuery(ctx.querystring, querySchema);
    const received = receive && (await receive(ctx));
    const body = received && (() => parseJson(received, json.schema));
    const id = path.includes('/:id') ? readId(ctx.params['id']) : undefined;
    const reply = await handler({ ctx, space, query, id, name, body }, parts);
    // Handlers of bytes have written to the context themselves.
    if (reply !== undefined) await sendReply(ctx, reply, responses[reply.status]?.cache);
  });
}
