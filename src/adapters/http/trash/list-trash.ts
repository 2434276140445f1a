import * as z from 'zod';
import type { TrashPosition } from '../../../domain/ports/records/trash.ts';
import { callerOf } from '../auth/caller-of.ts';
import { ListCursors } from '../paging/list-cursors.ts';
import { pageOrStream } from '../paging/page-or-stream.ts';
import { nextPageLink, pageLimit } from '../paging/page-schemas.ts';
import { partsOf } from '../paging/write-page.ts';
import { exampleRecord } from '../record/example-image.ts';
import { route } from '../route/route.ts';
import { type TrashedView, trashedImage, trashedView } from './trashed-view.ts';

const listQuery = z.strictObject({
  limit: pageLimit('The images of a page at most; without it all are listed.'),
  after: z.string().optional().describe('The cursor of a `next` link.'),
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
        headers: z.object({
          Link: nextPageLink('<?limit=1&after=dDE3NjkwMTM1NTAwMDAuNC43NmQ4YjI5MA>; rel="next"'),
        }),
        json: z.array(trashedImage),
        isEncoded: true,
        example: [exampleOf(sizes)],
      },
    },
    errors: ['overloaded'],
  }),
  async ({ ctx, space, query }, { listTrash, settings }) => {
    const cursors = new ListCursors([space, 'trash']);
    const after = query.after === undefined ? undefined : positionOf(cursors.decode(query.after, 'taken'));
    const { body, link } = await pageOrStream(ctx, query.limit, {
      batches: () => listTrash.batches(space, { after }, callerOf(ctx)),
      parts: (limit) =>
        partsOf((from, most) => listTrash.page(space, { after: from, limit: most }), {
          after,
          limit,
          size: RECORDS,
        }),
      view: (trashed) => trashedView(trashed, settings),
      cursor: ({ trashedAt, id }) => cursors.encode({ by: 'taken', time: trashedAt.getTime(), id }),
    });
    return { status: 200, headers: { Link: link }, body };
  },
);

function positionOf({ time, id }: { readonly time: number; readonly id: number }): TrashPosition {
  return { trashedAt: new Date(time), id };
}
