import * as z from 'zod';
import { mapInPortions } from '../../../application/concurrency/map-in-portions.ts';
import { callerOf } from '../auth/caller-of.ts';
import { route } from '../route/route.ts';
import { FILTERS, filterOf } from './filters.ts';
import { cursorsOf } from './list-query.ts';

const timelineQuery = z.strictObject({
  by: z.enum(['day', 'month', 'year'], 'day, month or year').describe('The length of a period.'),
  ...FILTERS,
});

export const timeline = route(
  {
    method: 'get',
    path: '/api/images/timeline',
    access: 'read',
    tag: 'Images',
    summary: 'Count images by day, month or year',
    description:
      'Newest first, in the time zone of the catalog (`x-time-zone` of this document); images without a capture time count by `createdAt`. Follow a cursor with `GET /api/images?sort=taken&order=desc&after=…` and the same filters to begin at its period. A timeline that takes longer than 10 seconds, the wait for other searches of its subject included, is 503 `overloaded`.',
    query: timelineQuery,
    responses: {
      200: {
        description: 'The periods that have images.',
        json: z
          .array(
            z.object({
              period: z.string().meta({
                pattern: '^\\d{4}(-\\d\\d(-\\d\\d)?)?$',
                description: 'As in 2026-11-22, 2026-11 or 2026.',
              }),
              count: z.int().min(1).describe('Images.'),
              after: z.string().describe('The cursor with which a listing begins at this period.'),
            }),
          )
          .meta({ id: 'Timeline' }),
        example: [{ period: '2026-01', count: 1, after: 'dDE3Njk5MDQwMDAwMDAuMC41ZmQ5MjVhZQ' }],
      },
    },
    errors: ['overloaded'],
  },
  async ({ ctx, space, query: { by, ...filters } }, { countPeriods }) => {
    const filter = filterOf(filters);
    const cursors = cursorsOf(space, { ...filters, sort: 'taken', order: 'desc' });
    const periods = await countPeriods.execute(space, by, filter, callerOf(ctx));
    return {
      status: 200,
      body: await mapInPortions(periods, ({ period, count, after }) => ({
        period,
        count,
        after: cursors.encode(after),
      })),
    };
  },
);
