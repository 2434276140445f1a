import type { Context } from 'koa';
import type { Caller } from '../../../application/concurrency/caller.ts';
import { leavingOf } from '../request/leaving-of.ts';
import { subjectOf } from './authenticate.ts';

/** For work that waits for its turn, until the client leaves. */
export function callerOf(ctx: Context): Caller {
  return { subject: subjectOf(ctx), leaving: leavingOf(ctx) };
}
