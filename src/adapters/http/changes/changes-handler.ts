import type { Context } from 'koa';
import { CHANGE_CURSOR } from '../../../application/changes/change-cursors.ts';
import type { FollowChanges } from '../../../application/changes/follow-changes.ts';
import type { ReadChanges } from '../../../application/changes/read-changes.ts';
import type { SubjectShares } from '../../../application/concurrency/subject-shares.ts';
import type { CatalogImage } from '../../../domain/image/image.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { Timer } from '../../../domain/ports/process/timer.ts';
import type { ChangePage } from '../../../domain/ports/records/change-feed.ts';
import type { Page } from '../../../domain/ports/records/page.ts';
import type { Space } from '../../../domain/space/space.ts';
import { subjectOf } from '../auth/authenticate.ts';
import type { ImageView, ViewImage } from '../image/image-view.ts';
import { writePage } from '../listing/write-page.ts';
import type { Handler } from '../openapi/operation.ts';
import { boundedAccept, isPreferred } from '../request/bounded-accept.ts';
import { whileClientStays } from '../request/while-client-stays.ts';
import { RequestError } from '../request-error.ts';
import type { JsonText } from '../response/send-json.ts';
import { changeViews } from './change-view.ts';
import type { ChangesQuery, listChangesOperation } from './changes-operation.ts';
import { EventStream } from './event-stream.ts';

const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';

export interface ChangesOptions {
  readonly readChanges: ReadChanges;
  readonly followChanges: FollowChanges;
  /** Streams and requests that wait. */
  readonly places: SubjectShares;
  readonly view: ViewImage;
  readonly clock: Clock;
  readonly timer: Timer;
}

type ListChanges = ReturnType<typeof listChangesOperation>;

export function changesHandler(options: ChangesOptions): Handler<ListChanges> {
  const events = new EventStream(options.readChanges, options.followChanges);
  return async ({ ctx, space, query }) => {
    ctx.vary('Accept');
    if (boundedAccept(ctx)(JSON_TYPE, EVENTS) === false) {
      throw new RequestError('not_acceptable', `Only ${JSON_TYPE} and ${EVENTS} can be served`);
    }
    const reader = { ctx, space, query };
    if (isPreferred(ctx, EVENTS, JSON_TYPE)) return await stream(options, events, reader);
    const body = await pageOf(options, reader);
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, body };
  };
}

interface Reader {
  readonly ctx: Context;
  readonly space: Space;
  readonly query: ChangesQuery;
}

/** Images of one statement: 32 of the longest records take 1 MiB. */
const RECORDS = 32;

async function pageOf(options: ChangesOptions, reader: Reader): Promise<JsonText> {
  const { readChanges } = options;
  const page = await read(options, reader);
  const next = await readChanges.cursorOf(page.next);
  const { body } = await writePage(reader.ctx, partsIn(options, reader, page, next), {
    view: (change: object) => change,
    head: '{"changes":[',
    tail: (goesOnAt = next, isCut) => `],"next":"${goesOnAt}","more":${isCut || page.more}}`,
  });
  return body;
}

/** `next` may be behind changes of other spaces, and of kinds that this version does not know. */
async function* partsIn(
  { readChanges, view }: ChangesOptions,
  { space, query }: Reader,
  { changes }: ChangePage,
  next: string,
): AsyncGenerator<Page<object, string>, void, undefined> {
  for (let begin = 0; begin < changes.length; begin += RECORDS) {
    const part = changes.slice(begin, begin + RECORDS);
    const views = await changeViews(part, readChanges);
    const images = query.include && (await readChanges.imagesOf(space, part));
    const items = views.map((change) => ({
      item: images === undefined ? change : { ...change, image: viewOf(images.get(change.id), view) },
      position: change.cursor,
    }));
    yield { items, next };
  }
}

function viewOf(image: CatalogImage | undefined, view: ViewImage): ImageView | null {
  return image === undefined ? null : view(image);
}

async function read(options: ChangesOptions, { ctx, space, query }: Reader): Promise<ChangePage> {
  const { readChanges, followChanges, places, clock } = options;
  const { after, limit = 100, wait = 0 } = query;
  const page = await readChanges.from(space, after, limit);
  const withinMs = ctx.method === 'HEAD' ? 0 : Math.min(wait * 1000, timeLeft(ctx, clock));
  if (page.changes.length > 0 || withinMs <= 0) return page;
  const release = places.take(subjectOf(ctx));
  try {
    const found = await whileClientStays(ctx, (leaving) =>
      followChanges.behind(space, page, limit, { withinMs, ended: leaving() }),
    );
    // A page of the poller does not say whether what is behind it concerns this space.
    return found.more ? await readChanges.page(space, found.start, limit) : found;
  } finally {
    release();
  }
}

/** Ms until the token expires. */
function timeLeft({ state: { auth } }: Context, clock: Clock): number {
  return (auth?.exp ?? 0) * 1000 - clock.now().getTime();
}

async function stream(
  options: ChangesOptions,
  events: EventStream,
  { ctx, space, query }: Reader,
): Promise<undefined> {
  const { start } = await options.readChanges.from(space, startOf(ctx, query), 1);
  ctx.set({ 'Cache-Control': 'no-store', 'Content-Type': EVENTS, 'X-Accel-Buffering': 'no' });
  ctx.status = 200;
  if (ctx.method === 'HEAD') return undefined;
  const ended = endOf(ctx, options);
  ctx.respond = false;
  void events.send(ctx.res, space, start, ended).catch((error: unknown) => {
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

/** Takes a place until the response is closed. The signal is aborted then, and when the token expires. */
function endOf(ctx: Context, { places, clock, timer }: ChangesOptions): AbortSignal {
  const release = places.take(subjectOf(ctx));
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
