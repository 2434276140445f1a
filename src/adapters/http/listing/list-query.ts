import { z } from 'zod';
import type { ListingQuery } from '../../../application/list-images.ts';
import type { ImageFilter } from '../../../domain/ports/image-repository.ts';
import type { SearchPlace } from '../../../domain/ports/image-search.ts';
import { RequestError } from '../request-error.ts';
import { decodeCursor, encodeCursor } from './list-cursor.ts';

const MAX_PAGE = 1000;
const NOT_A_TIME = 'an RFC 3339 time';

/** RFC 3339, section 5.6. A "+" that was not percent-encoded arrives as a space. */
const time = z
  .string()
  .transform((text) => text.toUpperCase().replace(/ (?=\d\d:\d\d$)/, '+'))
  // zod also accepts times without seconds.
  .pipe(z.iso.datetime({ offset: true, error: NOT_A_TIME }).regex(/T\d\d:\d\d:\d\d/, NOT_A_TIME))
  .transform((text) => new Date(text));

const TIME = { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00Z'] };

export const listQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, `a whole number from 1 to ${MAX_PAGE}`)
    .transform(Number)
    .refine((limit) => limit <= MAX_PAGE, `a whole number from 1 to ${MAX_PAGE}`)
    .optional()
    .meta({
      description: 'The records of a page at most.',
      wire: { type: 'integer', minimum: 1, maximum: MAX_PAGE },
    }),
  after: z.string().optional().meta({
    description: 'The cursor of a `next` link, with the order and the filters of its page.',
  }),
  order: z.enum(['asc', 'desc'], 'asc or desc').optional().meta({
    description: 'By `id`; `desc` is newest first.',
    default: 'asc',
  }),
  mediaType: z
    .enum(['image/jpeg', 'image/png'], 'image/jpeg or image/png')
    .optional()
    .meta({ description: 'Images of this type.' }),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, '64 hexadecimal digits')
    .toLowerCase()
    .optional()
    .meta({ description: 'Images with these bytes.' }),
  createdAfter: time.optional().meta({ description: 'Later than this time; exclusive.', wire: TIME }),
  createdBefore: time.optional().meta({ description: 'Earlier than this time; exclusive.', wire: TIME }),
  count: z
    .enum(['true', 'false'], 'true or false')
    .transform((value) => value === 'true')
    .optional()
    .meta({ description: 'Adds `X-Total-Count`.', wire: { type: 'boolean', default: false } }),
});

export type ListQuery = z.output<typeof listQuery>;

/** @throws {RequestError} */
export function listingOf(query: ListQuery): ListingQuery {
  return {
    filter: filterOf(query),
    sort: { by: 'created', order: query.order ?? 'asc' },
    after: afterOf(query),
  };
}

export function cursorAfter(id: number, query: ListQuery): string {
  return encodeCursor(id, identityOf(query));
}

function filterOf({ mediaType, sha256, createdAfter, createdBefore }: ListQuery): ImageFilter {
  return { mediaType, sha256, createdAfter, createdBefore };
}

function afterOf(query: ListQuery): SearchPlace | undefined {
  if (query.after === undefined) return undefined;
  const id = decodeCursor(query.after, identityOf(query));
  if (id !== undefined) return { by: 'created', id };
  throw new RequestError(
    'invalid_request',
    'Query parameter "after" must be a cursor from a "next" link, with the order and the filters of its page',
  );
}

/** Equal for all pages of a listing, however the query spells its times. */
function identityOf({ order = 'asc', mediaType, sha256, createdAfter, createdBefore }: ListQuery): string {
  return JSON.stringify([order, mediaType, sha256, createdAfter?.getTime(), createdBefore?.getTime()]);
}
