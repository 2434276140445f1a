import Router, { type RouterContext } from '@koa/router';
import type { Context } from 'koa';
import type { z } from 'zod';
import { ImageNotFound } from '../../domain/errors.ts';
import { type Name, parseName } from '../../domain/name/name.ts';
import { COMMON_SPACE } from '../../domain/space/space.ts';
import { checkScope } from './auth/access-refused.ts';
import { requireSpace } from './auth/token-space.ts';
import type { RouteTable } from './middleware/report-requests.ts';
import { NAME_FORM } from './names/name-view.ts';
import type { Operation, Scopes } from './openapi/operation.ts';
import type { Handlers, OperationId, Operations } from './operations.ts';
import type { BodyTimeoutOptions } from './request/body-timeout.ts';
import { parseJson } from './request/parse-json.ts';
import { readQuery, refuseQuery } from './request/read-query.ts';
import { receiveJson } from './request/receive-json.ts';
import { catalogReadOnly, RequestError } from './request-error.ts';
import { sendJson } from './response/send-json.ts';

interface RouteSettings {
  readonly scopes: Scopes;
  /** `undefined`: all tokens use the common space. */
  readonly spaceClaim: string | undefined;
  readonly readOnly: boolean;
  /** Of JSON bodies. */
  readonly timeouts: BodyTimeoutOptions;
}

/** One route for each entry of the table of operations. */
export function createRoutes(operations: Operations, handlers: Handlers, settings: RouteSettings): Router {
  const router = new Router({ strict: true, sensitive: true });
  for (const id of Object.keys(operations) as OperationId[]) {
    // The key relates both types, which the compiler cannot follow in a loop.
    addRoute(router, operations[id], handlers[id] as AnyHandler, settings);
  }
  return router;
}

/** A handler without the types of its operation. */
type AnyHandler = (input: object) => Promise<AnyReply | undefined>;

interface AnyReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

function addRoute(
  router: Router,
  operation: Operation,
  handler: AnyHandler,
  { scopes, spaceClaim, readOnly, timeouts }: RouteSettings,
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
    await send(ctx, await handler({ ctx, space, query, id, name, body }));
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

async function send(ctx: Context, reply: AnyReply | undefined): Promise<void> {
  if (reply === undefined) return;
  const { status, headers = {}, body } = reply;
  ctx.status = status;
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) ctx.set(name, value);
  }
  if (body === undefined) return;
  ctx.type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  // An ETag is that of this body; clients send it in `If-Match`.
  if (typeof body === 'string' || headers['ETag'] !== undefined) ctx.body = body;
  else await sendJson(ctx, body);
}

/** @throws {RequestError}; {ImageNotFound} if the id is too large for any database */
function readId(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d*$/.test(text)) {
    throw new RequestError('invalid_request', 'The image id must be a positive integer');
  }
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw new ImageNotFound();
  return id;
}

/** @throws {RequestError} */
function readName(text = ''): Name {
  const name = parseName(text);
  if (name === undefined) throw new RequestError('invalid_request', `The name must be ${NAME_FORM}`);
  return name;
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
