import { IncomingMessage } from 'node:http';
import type { Middleware, ParameterizedContext } from 'koa';
import * as z from 'zod';

const MAX_BODY_BYTES = 16 * 1024;

const TokenRequest = z.record(z.string(), z.string());

/**
 * Lets clients name the `audience`, in a form or in JSON, as Auth0 does and the service's specification shows it. RFC 6749 and
 * RFC 8707, which `oidc-provider` follows, know only a form with a `resource`. A client that names an audience and asks for no
 * scope gets all scopes.
 */
export function acceptTokenRequests(path: string, scopes: readonly string[]): Middleware {
  return async (ctx, next) => {
    const type = ctx.is('application/json', 'application/x-www-form-urlencoded');
    if (ctx.method !== 'POST' || ctx.path !== path || typeof type !== 'string') return next();

    const body = await readBody(ctx.req);
    if (body === undefined) return refuse(ctx, 413, `the body is larger than ${MAX_BODY_BYTES} bytes`);

    const form = type === 'application/json' ? parseJsonForm(body) : new URLSearchParams(body);
    if (form === undefined) return refuse(ctx, 400, 'the body is not a JSON object of strings');

    replaceBody(ctx, withResource(form, scopes).toString());
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

function parseJsonForm(text: string): URLSearchParams | undefined {
  const { data } = TokenRequest.safeParse(parseJson(text));
  return data && new URLSearchParams(data);
}

/** The form with the `resource` in place of the `audience`. Forms without an audience stay as they are. */
function withResource(form: URLSearchParams, scopes: readonly string[]): URLSearchParams {
  const audience = form.get('audience');
  if (audience === null) return form;
  form.delete('audience');
  form.set('resource', audience);
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
