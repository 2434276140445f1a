import { IncomingMessage } from 'node:http';
import type { Middleware, ParameterizedContext } from 'koa';
import * as z from 'zod';

const MAX_BODY_BYTES = 16 * 1024;

const TokenRequest = z.record(z.string(), z.string());

/**
 * Lets clients ask for a token with a JSON body and an `audience`, as the service's specification shows it. RFC 6749 and
 * RFC 8707, which `oidc-provider` follows, know only a form with a `resource`. Where the client asks for no scope, it is
 * given all of them.
 */
export function acceptJsonTokenRequests(path: string, scopes: readonly string[]): Middleware {
  return async (ctx, next) => {
    if (ctx.method !== 'POST' || ctx.path !== path || !ctx.is('application/json')) return next();

    const body = await readBody(ctx.req);
    if (body === undefined) return refuse(ctx, 413, `the body is larger than ${MAX_BODY_BYTES} bytes`);

    const request = TokenRequest.safeParse(parseJson(body));
    if (!request.success) return refuse(ctx, 400, 'the body is not a JSON object of strings');

    replaceBody(ctx, formOf(request.data, scopes).toString());
    return next();
  };
}

/** `undefined` where the body is larger than it may be; the rest is left unread. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function formOf(
  { audience, ...fields }: z.infer<typeof TokenRequest>,
  scopes: readonly string[],
): URLSearchParams {
  const form = new URLSearchParams(fields);
  if (audience !== undefined) form.set('resource', audience);
  if (!form.has('scope') && scopes.length > 0) form.set('scope', scopes.join(' '));
  return form;
}

/** `oidc-provider` warns about bodies parsed before it, so it gets a request whose body is still to be read. */
function replaceBody(ctx: ParameterizedContext, body: string): void {
  const { socket, method, url, headers } = ctx.req;
  // A message that is not complete when it ends counts as aborted, and takes its socket down.
  const request = Object.assign(new IncomingMessage(socket), { method, url, complete: true });
  request.headers = {
    ...headers,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
  };
  delete request.headers['transfer-encoding'];
  request.push(body);
  request.push(null);
  ctx.req = request;
  ctx.request.req = request;
}

function refuse(ctx: ParameterizedContext, status: 400 | 413, description: string): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  if (status === 413) ctx.set('Connection', 'close');
  ctx.body = { error: 'invalid_request', error_description: description };
}
