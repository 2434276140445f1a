import type { Context, Middleware } from 'koa';
import { errorResponse } from '../errors/error-response.ts';
import { imageFactsOf } from '../errors/image-facts-of.ts';
import { resetHeaders } from '../response/reset-headers.ts';

declare module 'koa' {
  interface DefaultState {
    errorCode?: string;
    /** The error that was sent with `errorCode`. */
    failure?: unknown;
  }
}

/**
 * No other place turns errors into responses or logs them.
 *
 * @param requireUsable throws if no request can be handled any more
 */
export function respondToErrors(requireUsable: () => void): Middleware {
  return async (ctx, next) => {
    const headersOnEntry = ctx.res.getHeaders();
    try {
      requireUsable();
      await next();
    } catch (error) {
      if (clientLeft(ctx)) return;
      resetHeaders(ctx, headersOnEntry);
      respond(ctx, error);
    }
  };
}

function clientLeft(ctx: Context): boolean {
  return ctx.res.destroyed || (ctx.req.destroyed && !ctx.req.complete);
}

function respond(ctx: Context, error: unknown): void {
  const { status, headers, body } = errorResponse(error);
  if (status >= 500) logFailure(ctx, status, error);
  ctx.set(headers);
  ctx.status = status;
  ctx.body = body;
  ctx.state.errorCode = body.code;
  ctx.state.failure = error;
  closeIfBodyIsUnread(ctx);
}

function logFailure({ state: { log, imageId } }: Context, status: number, error: unknown): void {
  if (status === 500) log.error({ err: error, imageId, ...imageFactsOf(error) }, 'request failed');
  else log.warn({ err: error }, 'request refused');
}

/** A smaller unread body is discarded, so that the connection can be used again. */
const DRAINABLE_BYTES = 1024 * 1024;

/** A client that waits for `100 Continue` may or may not send the body, so its connection closes too. */
function closeIfBodyIsUnread(ctx: Context): void {
  if (ctx.req.complete) return;
  const { 'transfer-encoding': transferEncoding, 'content-length': length, expect } = ctx.req.headers;
  const hasBody = transferEncoding !== undefined || length !== undefined;
  if (!hasBody) return;
  if (transferEncoding !== undefined || expect !== undefined || Number(length) > DRAINABLE_BYTES) {
    ctx.set('Connection', 'close');
    return;
  }
  // Node discards only a body that has not been read at all. Otherwise the next request on the connection would stall.
  ctx.req.resume();
}
