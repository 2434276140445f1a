import * as z from 'zod';
import { CHANGE_CURSOR } from '../../../application/changes/change-cursors.ts';
import { callerOf } from '../auth/caller-of.ts';
import { RequestError } from '../errors/request-error.ts';
import { pageOrStream } from '../paging/page-or-stream.ts';
import { nextPageLink } from '../paging/page-schemas.ts';
import { exampleRecord } from '../record/example-image.ts';
import { imageRecord, imageView } from '../record/image-view.ts';
import { boundedAccept } from '../request/bounded-accept.ts';
import { route } from '../route/route.ts';
import { cursorsOf, listingOf, listQuery } from './list-query.ts';

const listingHeaders = z.object({
  'Changes-Cursor': z.string().meta({
    description: 'The end of the feed of changes before the first row was read: see `GET /api/changes`.',
    pattern: CHANGE_CURSOR.source,
    examples: ['pEYuQUHnO6N4UTLlFoXdiQ'],
  }),
  Link: nextPageLink('<?limit=1&order=desc&after=NC5kYzI4ZTQ5MQ>; rel="next"'),
  'X-Total-Count': z
    .string()
    .optional()
    .meta({
      description:
        'With `count=true`: the number of images that match the filters, over all pages. Left out if counting would take longer than 2 seconds.',
      pattern: '^\\d+$',
      examples: ['4'],
    }),
});

/** One page if the query has a limit, else the whole catalog as a stream. */
export const listImages = route(
  ({ renditions: { sizes } }) => ({
    method: 'get',
    path: '/api/images',
    access: 'read',
    tag: 'Images',
    summary: 'List images',
    description:
      'Without `limit` the response is the whole catalog, streamed: process it as it arrives. With `limit` it is one page; follow the `next` link unchanged until a response has none. A page may be short or empty although it has a `next` link: it ends when it has looked at 50,000 images or entries of an index, and before its JSON passes 4 MiB. Concurrent uploads and deletes neither repeat nor skip other images, and every page costs the same. A search that gets no turn within 10 seconds, beside other searches of its subject, is 503 `overloaded`.',
    query: listQuery,
    responses: {
      200: {
        description: 'The records.',
        headers: listingHeaders,
        json: z.array(imageRecord),
        isEncoded: true,
        example: [exampleRecord(sizes)],
      },
    },
    errors: ['not_acceptable', 'overloaded'],
  }),
  async ({ ctx, space, query }, { listImages, readChanges, settings }) => {
    const listing = listingOf(space, query);
    if (boundedAccept(ctx)('application/json') === false) {
      throw new RequestError('not_acceptable', 'Only application/json can be served');
    }
    // Before the first row is read: the feed from here has all that the listing may miss.
    const changesCursor = await readChanges.latestCursor();
    const caller = callerOf(ctx);
    const total = query.count === true ? await listImages.count(space, listing.filter, caller) : undefined;
    const { link, body } = await pageOrStream(ctx, query.limit, {
      batches: () => listImages.batches(space, listing, caller),
      parts: (limit) => listImages.page(space, { ...listing, limit }, caller),
      view: (image) => imageView(image, settings),
      cursor: (place) => cursorsOf(space, query).encode(place),
    });
    return {
      status: 200,
      headers: { 'Changes-Cursor': changesCursor, Link: link, 'X-Total-Count': total?.toString() },
      body,
    };
  },
);
