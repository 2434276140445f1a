import type { Context } from 'koa';
import type { Caller } from '../../../application/concurrency/caller.ts';
import type { Author } from '../../../domain/ports/records/author.ts';
import { leavingOf } from '../request/leaving-of.ts';
import { subjectOf } from './authenticate.ts';

/** For work that waits for its turn, until the client leaves. */
export function callerOf(ctx: Context): Caller {
  return { subject: subjectOf(ctx), leaving: leavingOf(ctx) };
}

/** For the feed, and for the number of changes of a subject. */
export function authorOf(ctx: Context): Author {
  return { by: ctx.state.actor, subject: subjectOf(ctx) };
}
