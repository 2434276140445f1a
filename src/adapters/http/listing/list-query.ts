import * as z from 'zod';
import type { ListingQuery } from '../../../application/find/list-images.ts';
import type { SearchFilter, SearchSort } from '../../../domain/ports/records/image-search.ts';
import type { Space } from '../../../domain/space/space.ts';
import { ListCursors } from '../paging/list-cursors.ts';
import { pageLimit } from '../paging/page-schemas.ts';
import { FILTERS, filterOf } from './filters.ts';

const SEED = '1 to 64 visible ASCII characters';

export const listQuery = z
  .strictObject({
    limit: pageLimit('The records of a page at most.'),
    after: z
      .string()
      .optional()
      .describe(
        'The cursor of a `next` link or of the timeline, with the order and the filters of its page.',
      ),
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
      .describe('Required by `sort=random`, and only for it.'),
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
  const after = query.after === undefined ? undefined : cursorsOf(space, query).decode(query.after, sort.by);
  return { filter: filterOf(query), sort, after };
}

/** Equal filters have equal cursors, however the query spells them. */
export function cursorsOf(space: Space, query: ListQuery): ListCursors {
  return new ListCursors([space, ...Object.values(sortOf(query)), ...boundConditions(filterOf(query))]);
}

/** The conditions by which cursors of the first version are told apart: each has its place, whether or not it is set. */
const FIRST_CONDITIONS = [
  'mediaType',
  'sha256',
  'createdAfter',
  'createdBefore',
  'tags',
  'takenAfter',
  'takenBefore',
  'camera',
  'lens',
  'tagged',
  'dated',
  'words',
] as const satisfies ReadonlyArray<keyof SearchFilter>;

/** A later condition counts only where it is set, with its name: so it leaves the cursors of all other listings good. */
function boundConditions(filter: SearchFilter): readonly unknown[] {
  const first = FIRST_CONDITIONS.map((name) => filter[name]);
  const later = Object.entries(filter).filter(
    ([name, value]) => value !== undefined && !(FIRST_CONDITIONS as readonly string[]).includes(name),
  );
  return [...first, ...later];
}

function sortOf({ sort = 'created', order = 'asc', seed = '' }: ListQuery): SearchSort {
  return sort === 'random' ? { by: sort, seed } : { by: sort, order };
}
