import type { Context, Middleware } from 'koa';

/** Leaves out query, headers and bodies, because they may contain a token. */
export function logRequests(): Middleware {
  return async (ctx, next) => {
    const start = performance.now();
    ctx.res.once('close', () => logRequest(ctx, performance.now() - start));
    await next();
  };
}

function logRequest(ctx: Context, durationMs: number): void {
  const isSent = ctx.res.writableFinished;
  const facts = {
    method: ctx.method,
    path: ctx.path,
    status: isSent ? ctx.res.statusCode : undefined,
    code: ctx.state.errorCode,
    durationMs: Math.round(durationMs * 10) / 10,
  };
  ctx.state.log.info(facts, isSent ? 'request' : 'client left');
}
