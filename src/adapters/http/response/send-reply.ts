import type { Context } from 'koa';
import { forbidStoringOfSpace } from './forbid-storing.ts';
import { sendJson } from './send-json.ts';

/** The reply of a handler without the types of its operation. */
export interface AnyReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** @param cache the value of `Cache-Control`; by default that of JSON is `no-store` */
export async function sendReply(
  ctx: Context,
  { status, headers = {}, body }: AnyReply,
  cache = typeof body === 'object' ? 'no-store' : undefined,
): Promise<void> {
  ctx.status = status;
  if (cache !== undefined) ctx.set('Cache-Control', cache);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) ctx.set(name, value);
  }
  if (body === undefined) return;
  ctx.type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  // A stream may send its headers before any middleware can change them.
  forbidStoringOfSpace(ctx);
  // An ETag is that of this body; clients send it in `If-Match`.
  if (typeof body === 'string' || headers['ETag'] !== undefined) ctx.body = body;
  else await sendJson(ctx, body);
}
