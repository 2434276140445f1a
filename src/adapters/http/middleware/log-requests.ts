import type { Context, Middleware } from 'koa';

/**
 * One line per request, written when its answer has left or its client has. Neither query, headers nor bodies are in it:
 * a token that somebody puts into one of them by mistake is not logged.
 */
export function logRequests(): Middleware {
  return async (ctx, next) => {
    const start = performance.now();
    ctx.res.once('close', () => logRequest(ctx, performance.now() - start));
    await next();
  };
}

function logRequest(ctx: Context, durationMs: number): void {
  const answered = ctx.res.writableFinished;
  const facts = {
    method: ctx.method,
    path: ctx.path,
    status: answered ? ctx.res.statusCode : undefined,
    code: ctx.state.errorCode,
    durationMs: Math.round(durationMs * 10) / 10,
  };
  ctx.state.log.info(facts, answered ? 'request' : 'client left');
}
