import type { Context, Middleware } from 'koa';

/** Leaves out query, headers and bodies, because they may contain a token, and the MACs of signed links. */
export function logRequests(): Middleware {
  return async (ctx, next) => {
    const start = performance.now();
    ctx.res.once('close', () => logRequest(ctx, performance.now() - start));
    await next();
  };
}

/** The MAC may be cut, or split by a slash. */
const UP_TO_MAC = /^(\/d(?:\/[^/]*){3}\/).+$/;

/** A MAC has 43 characters, more if some are escaped. No segment of a route is as long. */
const LONG_SEGMENT = /[^/]{40,}/g;

/** Also of paths of another shape, and on the API listener: a proxy may send links to the wrong port. */
function withoutMacs(path: string): string {
  return path.replace(UP_TO_MAC, '$1…').replace(LONG_SEGMENT, '…');
}

function logRequest(ctx: Context, durationMs: number): void {
  const isSent = ctx.res.writableFinished;
  const facts = {
    method: ctx.method,
    path: withoutMacs(ctx.path),
    status: isSent ? ctx.res.statusCode : undefined,
    code: ctx.state.errorCode,
    durationMs: Math.round(durationMs * 10) / 10,
  };
  ctx.state.log.info(facts, isSent ? 'request' : 'client left');
}
