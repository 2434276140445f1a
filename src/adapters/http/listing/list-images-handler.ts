import type { Context } from 'koa';
import type { ListImages, ListingQuery } from '../../../application/list-images.ts';
import type { ViewImage } from '../image-view.ts';
import { readQuery } from '../read-query.ts';
import { RequestError } from '../request-error.ts';
import { type Batches, jsonStream } from './json-stream.ts';
import { cursorAfter, type ListQuery, listingOf, listQuery } from './list-query.ts';

/** One page if the query has a limit, else the whole catalog as a stream. */
export function listImagesHandler(listImages: ListImages, view: ViewImage): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const query = readQuery(ctx, listQuery);
    const listing = listingOf(query);
    if (ctx.accepts('application/json') === false)
      throw new RequestError('not_acceptable', 'Only application/json can be served');
    if (query.count === true) ctx.set('X-Total-Count', String(await listImages.count(listing.filter)));
    ctx.set('Cache-Control', 'no-store');
    if (query.limit === undefined) await sendAll(ctx, listImages.batches(listing), view);
    else await sendPage(ctx, listImages, { query, listing, limit: query.limit }, view);
  };
}

interface PageRequest {
  readonly query: ListQuery;
  readonly listing: ListingQuery;
  readonly limit: number;
}

async function sendPage(
  ctx: Context,
  listImages: ListImages,
  { query, listing, limit }: PageRequest,
  view: ViewImage,
): Promise<void> {
  const { images, next } = await listImages.page({ ...listing, limit });
  if (next?.by === 'created') ctx.set('Link', nextLink(ctx, cursorAfter(next.id, query)));
  ctx.body = images.map(view);
}

function nextLink(ctx: Context, cursor: string): string {
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.set('after', cursor);
  return `<${ctx.path}?${parameters.toString()}>; rel="next"`;
}

async function sendAll(ctx: Context, batches: Batches, view: ViewImage): Promise<void> {
  ctx.type = 'application/json; charset=utf-8';
  ctx.status = 200;
  if (ctx.method !== 'HEAD') ctx.body = await jsonStream(batches, view);
}
