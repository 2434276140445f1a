import { z } from 'zod';
import type { TrashedImage } from '../../../domain/ports/records/trash.ts';
import { callerOf } from '../auth/caller-of.ts';
import { exampleRecord } from '../image/example-image.ts';
import { jsonStream } from '../paging/json-stream.ts';
import { nextLink } from '../paging/next-link.ts';
import { nextPageLink, pageLimit } from '../paging/page-schemas.ts';
import { partsOf, writePage } from '../paging/write-page.ts';
import { cacheControl } from '../route/headers.ts';
import { route } from '../route/route.ts';
import { trashCursor, trashPositionIn } from './trash-cursor.ts';
import { type TrashedView, trashedImage, trashedView } from './trash-view.ts';

const listQuery = z.strictObject({
  limit: pageLimit('The images of a page at most; without it all are listed.'),
  after: z.string().optional().meta({ description: 'The cursor of a `next` link.' }),
});

function exampleOf(sizes: readonly number[]): TrashedView {
  return {
    image: exampleRecord(sizes),
    trashedAt: '2026-01-31T12:00:00.000Z',
    trashedBy: 'demo',
    erasedAt: '2026-03-02T12:00:00.000Z',
  };
}

/** Of one statement: 16 of the longest records, with their descriptions, take 1 MiB. */
const RECORDS = 16;

export const listTrash = route(
  ({ renditions: { sizes } }) => ({
    method: 'get',
    path: '/api/trash',
    access: 'read',
    tag: 'Trash',
    summary: 'List the trash',
    description:
      'Newest first. Without `limit` the response is the whole trash, streamed. With `limit` it is one page, which ends earlier when its JSON would pass 4 MiB; follow the `next` link unchanged until a response has none.',
    query: listQuery,
    responses: {
      200: {
        description: 'The images.',
        headers: z.object({ 'Cache-Control': cacheControl('no-store') }).extend({
          Link: nextPageLink('</api/trash?limit=1&after=dDE3NjkwMTM1NTAwMDAuNC43NmQ4YjI5MA>; rel="next"'),
        }),
        json: z.array(trashedImage),
        isEncoded: true,
        example: [exampleOf(sizes)],
      },
    },
    errors: ['overloaded', 'storage_unavailable'],
  }),
  async ({ ctx, space, query: { limit, after: cursor } }, { listTrash, settings }) => {
    const headers = { 'Cache-Control': 'no-store' } as const;
    const view = (trashed: TrashedImage): TrashedView => trashedView(trashed, settings);
    const after = cursor === undefined ? undefined : trashPositionIn(cursor, space);
    if (limit === undefined) {
      const body = await jsonStream(ctx, listTrash.batches(space, after, callerOf(ctx)), view);
      return { status: 200, headers, body };
    }
    const read = (from: typeof after, most: number) => listTrash.page(space, { after: from, limit: most });
    const parts = partsOf(read, { after, limit, size: RECORDS });
    const { body, next } = await writePage(ctx, parts, { view });
    const Link = next === undefined ? undefined : nextLink(ctx, trashCursor(next, space));
    return { status: 200, headers: { ...headers, Link }, body };
  },
  ['listTrash', 'settings'],
);
