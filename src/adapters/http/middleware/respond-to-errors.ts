import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { errorResponse } from '../error-response.ts';

/** Headers that describe a body which is not sent after all. */
const BODY_HEADERS = [
  'Accept-Ranges',
  'Cache-Control',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Length',
  'Content-Range',
  'Content-Security-Policy',
  'Content-Type',
  'ETag',
  'Last-Modified',
  'Link',
  'Repr-Digest',
  'X-Content-Type-Options',
];

/** Turns whatever is thrown below into its answer, and logs what the operator must know: the only place that does. */
export function respondToErrors(): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      respond(ctx, error);
    }
  };
}

function respond(ctx: Context, error: unknown): void {
  if (clientLeft(ctx)) return;
  const { status, headers, body } = errorResponse(error);
  if (status >= 500) logFailure(ctx.state.log, status, error);
  for (const name of BODY_HEADERS) ctx.remove(name);
  ctx.set(headers);
  ctx.status = status;
  ctx.body = body;
  ctx.state.errorCode = body.code;
  closeIfBodyIsUnread(ctx);
}

function logFailure(log: Logger, status: number, error: unknown): void {
  if (status === 500) log.error({ err: error, ...factsOf(error) }, 'request failed');
  else log.warn({ err: error }, 'request refused');
}

/** What an error that the service threw on purpose says of itself, such as the id of the image. */
function factsOf(error: unknown): object {
  return error instanceof Error && 'imageId' in error ? { imageId: error.imageId } : {};
}

function clientLeft(ctx: Context): boolean {
  return ctx.res.destroyed || (ctx.req.destroyed && !ctx.req.complete);
}

/** Body that Node may read and throw away to keep a connection open. */
const DRAINABLE_BYTES = 1024 * 1024;

/**
 * A refused upload is not read to its end: the connection closes after the answer instead, unless what is left is small.
 * A client that waits for `100 Continue` may or may not send the body now, so that connection cannot be used again either.
 */
function closeIfBodyIsUnread(ctx: Context): void {
  if (ctx.req.complete) return;
  const { 'transfer-encoding': transferEncoding, 'content-length': length, expect } = ctx.req.headers;
  const hasBody = transferEncoding !== undefined || length !== undefined;
  if (!hasBody) return;
  if (transferEncoding !== undefined || expect !== undefined || Number(length) > DRAINABLE_BYTES) {
    ctx.set('Connection', 'close');
    return;
  }
  // Node does so itself only where nobody has begun to read; the next request on the connection would wait for ever.
  ctx.req.resume();
}
