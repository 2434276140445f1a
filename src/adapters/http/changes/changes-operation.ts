import { z } from 'zod';
import { CHANGE_CURSOR } from '../../../application/changes/change-cursors.ts';
import { exampleRecord } from '../image/example-image.ts';
import { cacheControl } from '../openapi/headers.ts';
import type { Operation } from '../openapi/operation.ts';
import { wholeNumber } from '../request/read-query.ts';
import { changeCursor, listedChange } from './change-view.ts';

const MAX_PAGE = 1000;
const MAX_WAIT_SECONDS = 30;

const changesQuery = z.strictObject({
  after: z.string().regex(CHANGE_CURSOR, 'a cursor of the feed of changes, or latest').optional().meta({
    description:
      'A cursor, or `latest`: only what comes. Without it, the feed begins with the oldest change that is kept.',
  }),
  limit: wholeNumber(1, MAX_PAGE)
    .optional()
    .meta({
      description:
        'The changes of a page at most. A page ends earlier, with `more`, when its JSON would pass 4 MiB. Not for a stream.',
      wire: { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: 100 },
    }),
  wait: wholeNumber(0, MAX_WAIT_SECONDS)
    .optional()
    .meta({
      description:
        'For how many seconds a request that has nothing to report waits for a change. Not for a stream.',
      wire: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0 },
    }),
  include: z.enum(['image'], 'image').optional().meta({
    description: '`image` adds the record, as it is now. Not for a stream.',
  }),
});

export type ChangesQuery = z.output<typeof changesQuery>;

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
  'Cache-Control': cacheControl('no-store'),
  'X-Accel-Buffering': z.literal('no').optional().meta({
    description: 'Of a stream: a proxy sends each event at once.',
  }),
});

const changePage = z
  .object({
    changes: z.array(listedChange),
    next: changeCursor,
    more: z
      .boolean()
      .meta({ description: 'Whether there were changes behind `next` that the token may see.' }),
  })
  .meta({ id: 'ChangePage' });

const EVENTS = {
  description: 'Server-Sent Events; a comment every 15 seconds.',
  example: `retry: 2000\nid: ${EXAMPLE_CURSOR}\n\nid: ${EXAMPLE_CURSOR}\nevent: image.created\ndata: ${JSON.stringify(EXAMPLE)}\n\n`,
};

/** @param sizes of renditions, in pixels, ascending */
export function listChangesOperation(sizes: readonly number[]) {
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
      'Last-Event-ID': z.string().optional().meta({
        description: 'Of a stream: the cursor of the last event. It wins over `after`.',
      }),
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
    errors: ['not_acceptable', 'cursor_expired', 'overloaded', 'storage_unavailable'],
  } as const satisfies Operation;
}
