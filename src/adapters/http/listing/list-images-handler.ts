import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { z } from 'zod';
import type { ListImages, ListingQuery } from '../../../application/list-images.ts';
import type { Image } from '../../../domain/image/image.ts';
import type { ImageFilter } from '../../../domain/ports/image-repository.ts';
import type { ViewImage } from '../image-view.ts';
import { readQuery } from '../read-query.ts';
import { RequestError } from '../request-error.ts';
import { decodeCursor, encodeCursor } from './list-cursor.ts';
import { parseRfc3339, type Rfc3339Time } from './rfc3339-time.ts';

const MAX_PAGE = 1000;

const time = z.string().transform((text, check): Rfc3339Time => {
  const parsed = parseRfc3339(text);
  if (parsed !== undefined) return parsed;
  check.issues.push({ code: 'custom', message: 'an RFC 3339 time', input: text });
  return z.NEVER;
});

const listQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, `a whole number from 1 to ${MAX_PAGE}`)
    .transform(Number)
    .refine((limit) => limit <= MAX_PAGE, `a whole number from 1 to ${MAX_PAGE}`)
    .optional(),
  after: z.string().optional(),
  order: z.enum(['asc', 'desc'], 'asc or desc').optional(),
  mediaType: z.enum(['image/jpeg', 'image/png'], 'image/jpeg or image/png').optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits')
    .toLowerCase()
    .optional(),
  createdAfter: time.optional(),
  createdBefore: time.optional(),
  count: z
    .enum(['true', 'false'], 'true or false')
    .transform((value) => value === 'true')
    .optional(),
});

type ListQuery = z.output<typeof listQuery>;

/** `GET /api/images`: one page where a limit is asked for, else the whole catalog as a stream. */
export function listImagesHandler(listImages: ListImages, view: ViewImage): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const query = readQuery(ctx, listQuery);
    const listing = listingOf(query);
    if (ctx.accepts('application/json') === false)
      throw new RequestError('not_acceptable', 'Only application/json can be served');
    if (query.count === true) ctx.set('X-Total-Count', String(await listImages.count(listing.filter)));
    ctx.set('Cache-Control', 'no-store');
    if (query.limit === undefined) return await sendAll(ctx, listImages.batches(listing), view);
    const { images, hasMore } = await listImages.page({ ...listing, limit: query.limit });
    const last = images.at(-1);
    if (hasMore && last !== undefined)
      ctx.set('Link', nextLink(ctx, encodeCursor(last.id, identityOf(query))));
    ctx.body = images.map(view);
  };
}

function listingOf(query: ListQuery): ListingQuery {
  return { filter: filterOf(query), order: query.order ?? 'asc', after: afterOf(query) };
}

function filterOf({ mediaType, sha256, createdAfter, createdBefore }: ListQuery): ImageFilter {
  return {
    mediaType,
    sha256,
    // Records have whole milliseconds: later than 0.5 ms is later than 0 ms, and earlier than 0.5 ms is earlier than 1 ms.
    createdAfter: createdAfter && new Date(createdAfter.floorMs),
    createdBefore: createdBefore && new Date(createdBefore.ceilMs),
  };
}

function afterOf(query: ListQuery): number | undefined {
  if (query.after === undefined) return undefined;
  const id = decodeCursor(query.after, identityOf(query));
  if (id !== undefined) return id;
  throw new RequestError(
    'invalid_request',
    'Query parameter "after" must be a cursor from a "next" link, with the order and the filters of its page',
  );
}

/** What makes two listings the same one, whatever page of it is asked for and however the times were written. */
function identityOf({ order = 'asc', mediaType, sha256, createdAfter, createdBefore }: ListQuery): string {
  return JSON.stringify([order, mediaType, sha256, createdAfter?.floorMs, createdBefore?.ceilMs]);
}

function nextLink(ctx: Context, cursor: string): string {
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.set('after', cursor);
  return `<${ctx.path}?${parameters.toString()}>; rel="next"`;
}

type Batches = AsyncGenerator<readonly Image[], void, undefined>;

async function sendAll(ctx: Context, batches: Batches, view: ViewImage): Promise<void> {
  ctx.type = 'application/json; charset=utf-8';
  ctx.status = 200;
  if (ctx.method === 'HEAD') return;
  // The first batch comes before the status is promised: a database that is away is a 503 and not a torn answer.
  const first = await batches.next();
  ctx.body = Readable.from(jsonArray(first, batches, view), { highWaterMark: 1 });
}

async function* jsonArray(
  first: IteratorResult<readonly Image[], void>,
  rest: Batches,
  view: ViewImage,
): AsyncGenerator<string, void, undefined> {
  if (first.done === true) {
    yield '[]';
    return;
  }
  yield `[${jsonItems(first.value, view)}`;
  for await (const batch of rest) yield `,${jsonItems(batch, view)}`;
  yield ']';
}

function jsonItems(images: readonly Image[], view: ViewImage): string {
  return images.map((image) => JSON.stringify(view(image))).join(',');
}
