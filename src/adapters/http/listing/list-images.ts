import type { Context } from 'koa';
import { z } from 'zod';
import { CHANGE_CURSOR } from '../../../application/changes/change-cursors.ts';
import type { Caller } from '../../../application/concurrency/caller.ts';
import type { ListImages, ListingQuery } from '../../../application/find/list-images.ts';
import type { Space } from '../../../domain/space/space.ts';
import { callerOf } from '../auth/caller-of.ts';
import { RequestError } from '../errors/request-error.ts';
import { exampleRecord } from '../image/example-image.ts';
import { imageRecord, imageView, type ViewSettings } from '../image/image-view.ts';
import { jsonStream } from '../paging/json-stream.ts';
import { nextLink } from '../paging/next-link.ts';
import { nextPageLink } from '../paging/page-schemas.ts';
import { writePage } from '../paging/write-page.ts';
import { boundedAccept } from '../request/bounded-accept.ts';
import type { JsonText } from '../response/send-json.ts';
import { cacheControl } from '../route/headers.ts';
import { route } from '../route/route.ts';
import { cursorAfter, type ListQuery, listingOf, listQuery } from './list-query.ts';

const listingHeaders = z.object({
  'Cache-Control': cacheControl('no-store'),
  'Changes-Cursor': z.string().meta({
    description: 'The end of the feed of changes before the first row was read: see `GET /api/changes`.',
    pattern: CHANGE_CURSOR.source,
    examples: ['pEYuQUHnO6N4UTLlFoXdiQ'],
  }),
  Link: nextPageLink('</api/images?limit=1&order=desc&after=NC5kYzI4ZTQ5MQ>; rel="next"'),
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
    errors: ['not_acceptable', 'overloaded', 'storage_unavailable'],
  }),
  async ({ ctx, space, query }, { listImages, readChanges, settings }) => {
    const listing = listingOf(space, query);
    if (boundedAccept(ctx)('application/json') === false) {
      throw new RequestError('not_acceptable', 'Only application/json can be served');
    }
    // Before the first row is read: the feed from here has all that the listing may miss.
    const changesCursor = await readChanges.latestCursor();
    const search: ListingRequest = { listImages, space, listing, caller: callerOf(ctx) };
    const total = query.count === true ? await totalOf(search) : undefined;
    const { link, body } =
      query.limit === undefined
        ? { link: undefined, body: await allOf(ctx, search, settings) }
        : await pageOf(ctx, search, { ...query, limit: query.limit }, settings);
    return {
      status: 200,
      headers: {
        'Cache-Control': 'no-store',
        'Changes-Cursor': changesCursor,
        Link: link,
        'X-Total-Count': total,
      },
      body,
    };
  },
  ['listImages', 'readChanges', 'settings'],
);

interface ListingRequest {
  readonly listImages: ListImages;
  readonly space: Space;
  readonly listing: ListingQuery;
  readonly caller: Caller;
}

async function totalOf({ listImages, space, listing, caller }: ListingRequest): Promise<string | undefined> {
  const total = await listImages.count(space, listing.filter, caller);
  return total?.toString();
}

type PageQuery = ListQuery & { readonly limit: number };

async function pageOf(
  ctx: Context,
  { listImages, space, listing, caller }: ListingRequest,
  query: PageQuery,
  settings: ViewSettings,
): Promise<{ readonly link: string | undefined; readonly body: JsonText }> {
  const parts = listImages.page(space, { ...listing, limit: query.limit }, caller);
  const { body, next } = await writePage(ctx, parts, { view: (image) => imageView(image, settings) });
  const link = next === undefined ? undefined : nextLink(ctx, cursorAfter(next, space, query));
  return { link, body };
}

async function allOf(
  ctx: Context,
  { listImages, space, listing, caller }: ListingRequest,
  settings: ViewSettings,
): Promise<JsonText> {
  return await jsonStream(ctx, listImages.batches(space, listing, caller), (image) =>
    imageView(image, settings),
  );
}
