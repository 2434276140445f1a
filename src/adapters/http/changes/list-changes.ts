import * as z from 'zod';
import type { CatalogImage } from '../../../domain/image/image.ts';
import type { ChangePage } from '../../../domain/ports/records/change-feed.ts';
import type { Page } from '../../../domain/ports/records/page.ts';
import { subjectOf } from '../auth/authenticate.ts';
import { RequestError } from '../errors/request-error.ts';
import { writePage } from '../paging/write-page.ts';
import { exampleRecord } from '../record/example-image.ts';
import { type ImageView, imageView, type ViewSettings } from '../record/image-view.ts';
import { boundedAccept, isPreferred } from '../request/bounded-accept.ts';
import { leavingOf } from '../request/leaving-of.ts';
import type { JsonText } from '../response/send-json.ts';
import { route } from '../route/route.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { changeCursor, changeViews, listedChange } from './change-view.ts';
import { changesQuery } from './changes-query.ts';
import { type ChangesReader, EVENT_STREAM, streamChanges, timeLeft } from './stream-changes.ts';

const EXAMPLE_CURSOR = 'pEYuQUHnO6N4UTLlFoXdiQ';

const EXAMPLE = {
  cursor: EXAMPLE_CURSOR,
  type: 'image.created',
  id: 1,
  at: '2026-01-31T12:00:00.000Z',
  by: 'alice',
};

const DESCRIPTION = [
  'Every committed change in the order of the commits, each once. Ask again with `next` as `after`: nothing is lost and nothing is repeated. With `wait` the response comes with the next change.',
  'With `Accept: text/event-stream` the response is a stream of Server-Sent Events that does not end before the token expires: `id` is the cursor, `event` the type, `data` the change. After an interruption `Last-Event-ID` continues it.',
  'With spaces, the feed has the changes of the space of the token; `next` moves on with the whole catalog.',
  'To keep a copy in step, read `GET /api/images` (all of it, or its pages without filters), apply the feed from the `Changes-Cursor` of its first response with `include=image`, and remove images that are null. After 410 `cursor_expired` begin again with the listing.',
].join('\n\n');

const headers = z.object({
  'X-Accel-Buffering': z.literal('no').optional().describe('Of a stream: a proxy sends each event at once.'),
});

const changePage = z
  .object({
    changes: z.array(listedChange),
    next: changeCursor,
    more: z.boolean().describe('Whether there were changes behind `next` that the token may see.'),
  })
  .meta({ id: 'ChangePage' });

const EVENTS = {
  description: 'Server-Sent Events; a comment every 15 seconds.',
  example: `retry: 2000\nid: ${EXAMPLE_CURSOR}\n\nid: ${EXAMPLE_CURSOR}\nevent: image.created\ndata: ${JSON.stringify(EXAMPLE)}\n\n`,
};

const JSON_TYPE = 'application/json';

export const listChanges = route(
  ({ renditions: { sizes } }) => {
    const changes = [{ ...EXAMPLE, image: exampleRecord(sizes) }];
    return {
      method: 'get',
      path: '/api/changes',
      access: 'read',
      tag: 'Images',
      summary: 'Read what has changed',
      description: DESCRIPTION,
      query: changesQuery,
      requestHeaders: z.object({
        'Last-Event-ID': z
          .string()
          .optional()
          .describe('Of a stream: the cursor of the last event. It wins over `after`.'),
      }),
      responses: {
        200: {
          description: 'The changes.',
          headers,
          json: changePage,
          isEncoded: true,
          events: EVENTS,
          example: { changes, next: EXAMPLE_CURSOR, more: false },
        },
      },
      errors: ['not_acceptable', 'cursor_expired', 'overloaded'],
    };
  },
  async ({ ctx, space, query }, parts) => {
    ctx.vary('Accept');
    if (boundedAccept(ctx)(JSON_TYPE, EVENT_STREAM) === false) {
      throw new RequestError('not_acceptable', `Only ${JSON_TYPE} and ${EVENT_STREAM} can be served`);
    }
    const reader = { ctx, space, query };
    if (isPreferred(ctx, EVENT_STREAM, JSON_TYPE)) return await streamChanges(parts, reader);
    const body = await pageOf(parts, reader);
    return { status: 200, headers: {}, body };
  },
);

/** Images of one statement: 32 of the longest records take 1 MiB. */
const RECORDS = 32;

async function pageOf(parts: RouteParts, reader: ChangesReader): Promise<JsonText> {
  const { readChanges } = parts;
  const page = await read(parts, reader);
  const next = await readChanges.cursorOf(page.next);
  const { body } = await writePage(reader.ctx, partsIn(parts, reader, page, next), {
    view: (change: object) => change,
    head: '{"changes":[',
    tail: (goesOnAt = next, isCut) => `],"next":"${goesOnAt}","more":${isCut || page.more}}`,
  });
  return body;
}

/** `next` may be behind changes of other spaces, and of kinds that this version does not know. */
async function* partsIn(
  { readChanges, settings }: RouteParts,
  { space, query }: ChangesReader,
  { changes }: ChangePage,
  next: string,
): AsyncGenerator<Page<object, string>, void, undefined> {
  for (let begin = 0; begin < changes.length; begin += RECORDS) {
    const part = changes.slice(begin, begin + RECORDS);
    const views = await changeViews(part, readChanges);
    const images = query.include && (await readChanges.imagesOf(space, part));
    const items = views.map((change) => ({
      item: images === undefined ? change : { ...change, image: viewOf(images.get(change.id), settings) },
      position: change.cursor,
    }));
    yield { items, next };
  }
}

function viewOf(image: CatalogImage | undefined, settings: ViewSettings): ImageView | null {
  return image === undefined ? null : imageView(image, settings);
}

async function read(parts: RouteParts, { ctx, space, query }: ChangesReader): Promise<ChangePage> {
  const { readChanges, followChanges, changeSlots, clock } = parts;
  const { after, limit = 100, wait = 0 } = query;
  const page = await readChanges.from(space, after, limit);
  const withinMs = ctx.method === 'HEAD' ? 0 : Math.min(wait * 1000, timeLeft(ctx, clock));
  if (page.changes.length > 0 || withinMs <= 0) return page;
  const release = changeSlots.takeNow({ subject: subjectOf(ctx) });
  try {
    const found = await followChanges.behind(space, page, limit, { withinMs, ended: leavingOf(ctx) });
    // A page of the poller does not say whether what is behind it concerns this space.
    return found.more ? await readChanges.page(space, found.start, limit) : found;
  } finally {
    release();
  }
}
