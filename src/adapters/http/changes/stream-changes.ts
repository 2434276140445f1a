import type { Context } from 'koa';
import { CHANGE_CURSOR } from '../../../application/changes/change-cursors.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { Space } from '../../../domain/space/space.ts';
import { subjectOf } from '../auth/authenticate.ts';
import { RequestError } from '../errors/request-error.ts';
import type { RouteParts } from '../route/route-parts.ts';
import type { ChangesQuery } from './changes-query.ts';
import { sendEvents } from './send-events.ts';

export const EVENT_STREAM = 'text/event-stream';

export interface ChangesReader {
  readonly ctx: Context;
  readonly space: Space;
  readonly query: ChangesQuery;
}

export async function streamChanges(
  parts: RouteParts,
  { ctx, space, query }: ChangesReader,
): Promise<undefined> {
  const { start } = await parts.readChanges.from(space, startOf(ctx, query), 1);
  ctx.set({ 'Cache-Control': 'no-store', 'Content-Type': EVENT_STREAM, 'X-Accel-Buffering': 'no' });
  ctx.status = 200;
  if (ctx.method === 'HEAD') return undefined;
  const ended = endOf(ctx, parts);
  ctx.respond = false;
  void sendEvents(parts, ctx.res, { space, start, ended }).catch((error: unknown) => {
    ctx.app.emit('error', error, ctx);
    ctx.res.destroy();
  });
  return undefined;
}

/** @throws {RequestError} */
function startOf(ctx: Context, { after, limit, wait, include }: ChangesQuery): string | undefined {
  const unused = Object.entries({ limit, wait, include }).find(([, value]) => value !== undefined);
  if (unused !== undefined) {
    throw new RequestError('invalid_request', `Query parameter "${unused[0]}" must be left out of a stream`);
  }
  const last = ctx.get('Last-Event-ID');
  if (last === '') return after;
  if (CHANGE_CURSOR.test(last)) return last;
  throw new RequestError('invalid_request', 'Last-Event-ID must be the id of an event');
}

/** Takes a slot until the response is closed. The signal is aborted then, and when the token expires. */
function endOf(ctx: Context, { changeSlots, clock, timer }: RouteParts): AbortSignal {
  const release = changeSlots.takeNow({ subject: subjectOf(ctx) });
  const ended = new AbortController();
  const cancel = timer(timeLeft(ctx, clock), () => ended.abort());
  const close = (): void => {
    cancel();
    ended.abort();
    release();
  };
  if (ctx.res.closed) close();
  else ctx.res.once('close', close);
  return ended.signal;
}

/** Ms until the token expires. */
export function timeLeft({ state: { auth } }: Context, clock: Clock): number {
  return (auth?.exp ?? 0) * 1000 - clock.now().getTime();
}
