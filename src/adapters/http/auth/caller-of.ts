import type { Context } from 'koa';
import type { Caller } from '../../../application/concurrency/caller.ts';
import { subjectOf } from './authenticate.ts';

/** For work that waits for its turn, until the client leaves. */
export function callerOf(ctx: Context): Caller {
  const left = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) left.abort();
  });
  if (ctx.res.destroyed) left.abort();
  return { subject: subjectOf(ctx), leaving: left.signal };
}
