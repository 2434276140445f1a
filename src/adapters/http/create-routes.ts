import Router, { type RouterContext } from '@koa/router';
import type { Context } from 'koa';
import type { z } from 'zod';
import { ImageNotFound } from '../../domain/errors.ts';
import { requireScope } from './auth/require-scope.ts';
import { requireWritable } from './middleware/require-writable.ts';
import type { Operation, Scopes } from './openapi/operation.ts';
import type { Handlers, OperationId, Operations } from './operations.ts';
import { parseJson } from './request/parse-json.ts';
import { readNoQuery, readQuery } from './request/read-query.ts';
import { receiveJson } from './request/receive-json.ts';
import { RequestError } from './request-error.ts';

export interface RouteSettings {
  readonly scopes: Scopes;
  readonly readOnly: boolean;
  /** How long a JSON body may stop coming. */
  readonly stallTimeoutMs: number;
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
  { scopes, readOnly, stallTimeoutMs }: RouteSettings,
): void {
  const { method, path, access, changesCatalog } = operation;
  const receive = receiverOf(operation, stallTimeoutMs);
  router[method](
    path,
    requireScope(access === 'public' ? undefined : scopes[access]),
    requireWritable(readOnly && changesCatalog === true),
    async (ctx) => {
      const query = queryOf(ctx, operation.query);
      const body = await receive(ctx);
      const id = path.includes('/:id') ? readId(ctx.params['id']) : undefined;
      send(ctx, await handler({ ctx, query, id, body }));
    },
  );
}

function queryOf(ctx: Context, schema: z.ZodObject | undefined): unknown {
  return schema === undefined ? readNoQuery(ctx) : readQuery(ctx, schema);
}

type ReceiveBody = (ctx: RouterContext) => Promise<(() => unknown) | undefined>;

function receiverOf({ json }: Operation, stallTimeoutMs: number): ReceiveBody {
  if (json === undefined) return async () => undefined;
  const { schema, ...rules } = json;
  const receive = receiveJson({ ...rules, stallTimeoutMs });
  return async (ctx) => {
    const bytes = await receive(ctx);
    return () => parseJson(bytes, schema);
  };
}

function send(ctx: Context, reply: AnyReply | undefined): void {
  if (reply === undefined) return;
  const { status, headers = {}, body } = reply;
  ctx.status = status;
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) ctx.set(name, value);
  }
  if (body === undefined) return;
  ctx.type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  ctx.body = body;
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
