import { z } from 'zod';
import type { ListingQuery } from '../../../application/find/list-images.ts';
import type { SearchPlace, SearchSort } from '../../../domain/ports/records/image-search.ts';
import type { Space } from '../../../domain/space/space.ts';
import { INVALID_CURSOR } from '../errors/error-response.ts';
import { RequestError } from '../errors/request-error.ts';
import { decodeCursor, encodeCursor } from '../paging/list-cursor.ts';
import { pageLimit } from '../paging/page-schemas.ts';
import { FILTERS, type FilterQuery, filterIdentity, filterOf } from './filter-query.ts';

const SEED = '1 to 64 visible ASCII characters';

export const listQuery = z
  .strictObject({
    limit: pageLimit('The records of a page at most.'),
    after: z.string().optional().meta({
      description:
        'The cursor of a `next` link or of the timeline, with the order and the filters of its page.',
    }),
    sort: z.enum(['created', 'taken', 'random'], 'created, taken or random').optional().meta({
      description:
        '`created`: by `id`. `taken`: by capture time; an image without one by `createdAt`. `random`: every image exactly once for each `seed`.',
      default: 'created',
    }),
    order: z.enum(['asc', 'desc'], 'asc or desc').optional().meta({
      description: '`desc` is newest first. Not with `sort=random`.',
      default: 'asc',
    }),
    seed: z
      .string()
      .regex(/^[\x21-\x7e]{1,64}$/, SEED)
      .optional()
      .meta({ description: 'Required by `sort=random`, and only for it.' }),
    count: z
      .enum(['true', 'false'], 'true or false')
      .transform((value) => value === 'true')
      .optional()
      .meta({ description: 'Adds `X-Total-Count`.', wire: { type: 'boolean', default: false } }),
    ...FILTERS,
  })
  .refine(({ sort, seed }) => sort !== 'random' || seed !== undefined, {
    path: ['seed'],
    message: `given with sort=random: ${SEED}`,
  })
  .refine(({ sort, seed }) => sort === 'random' || seed === undefined, {
    path: ['seed'],
    message: 'left out without sort=random',
  })
  .refine(({ sort, order }) => sort !== 'random' || order === undefined, {
    path: ['order'],
    message: 'left out with sort=random',
  });

export type ListQuery = z.output<typeof listQuery>;

/** @throws {RequestError} */
export function listingOf(space: Space, query: ListQuery): ListingQuery {
  const sort = sortOf(query);
  return { filter: filterOf(query), sort, after: afterOf(space, query, sort) };
}

export function cursorAfter(place: SearchPlace, space: Space, query: ListQuery): string {
  return encodeCursor(place, identityOf(space, query, sortOf(query)));
}

/** For a listing by capture time, newest first, with these filters. */
export function timelineCursor(place: SearchPlace, space: Space, query: FilterQuery): string {
  return encodeCursor(place, identityOf(space, query, { by: 'taken', order: 'desc' }));
}

function sortOf({ sort = 'created', order = 'asc', seed = '' }: ListQuery): SearchSort {
  return sort === 'random' ? { by: sort, seed } : { by: sort, order };
}

function afterOf(space: Space, query: ListQuery, sort: SearchSort): SearchPlace | undefined {
  if (query.after === undefined) return undefined;
  const place = decodeCursor(query.after, identityOf(space, query, sort));
  if (place?.by === sort.by) return place;
  throw new RequestError('invalid_request', INVALID_CURSOR);
}

/** Equal for all pages of a listing. */
function identityOf(space: Space, query: FilterQuery, sort: SearchSort): string {
  return JSON.stringify([space, sort.by, 'seed' in sort ? sort.seed : sort.order, ...filterIdentity(query)]);
}
