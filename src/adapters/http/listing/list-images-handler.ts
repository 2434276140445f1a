import type { Context } from 'koa';
import type { ReadChanges } from '../../../application/changes/read-changes.ts';
import type { Caller } from '../../../application/concurrency/fair-queue.ts';
import type { ListImages, ListingQuery } from '../../../application/find/list-images.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { ViewImage } from '../image/image-view.ts';
import type { Handler } from '../openapi/operation.ts';
import { boundedAccept } from '../request/bounded-accept.ts';
import { callerOf } from '../request/caller-of.ts';
import { RequestError } from '../request-error.ts';
import type { JsonText } from '../response/send-json.ts';
import { jsonStream } from './json-stream.ts';
import { cursorAfter, type ListQuery, listingOf } from './list-query.ts';
import type { listImagesOperation } from './listing-operations.ts';
import { nextLink } from './next-link.ts';
import { writePage } from './write-page.ts';

/** One page if the query has a limit, else the whole catalog as a stream. */
export function listImagesHandler(
  listImages: ListImages,
  readChanges: ReadChanges,
  view: ViewImage,
): Handler<ReturnType<typeof listImagesOperation>> {
  return async ({ ctx, space, query }) => {
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
        ? { link: undefined, body: await allOf(ctx, search, view) }
        : await pageOf(ctx, search, { ...query, limit: query.limit }, view);
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
  };
}

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
  view: ViewImage,
): Promise<{ readonly link: string | undefined; readonly body: JsonText }> {
  const parts = listImages.page(space, { ...listing, limit: query.limit }, caller);
  const { body, next } = await writePage(ctx, parts, { view });
  const link = next === undefined ? undefined : nextLink(ctx, cursorAfter(next, space, query));
  return { link, body };
}

async function allOf(
  ctx: Context,
  { listImages, space, listing, caller }: ListingRequest,
  view: ViewImage,
): Promise<JsonText> {
  return await jsonStream(ctx, listImages.batches(space, listing, caller), view);
}
