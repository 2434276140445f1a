import { mapInPortions } from '../../../application/concurrency/map-in-portions.ts';
import type { CountPeriods } from '../../../application/find/count-periods.ts';
import type { Handler } from '../openapi/operation.ts';
import { callerOf } from '../request/caller-of.ts';
import { filterOf } from './filter-query.ts';
import { timelineCursor } from './list-query.ts';
import type { timelineOperation } from './listing-operations.ts';

export function timelineHandler(countPeriods: CountPeriods): Handler<typeof timelineOperation> {
  return async ({ ctx, space, query: { by, ...filters } }) => {
    const filter = filterOf(filters);
    const periods = await countPeriods.execute(space, by, filter, callerOf(ctx));
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: await mapInPortions(periods, ({ period, count, after }) => ({
        period,
        count,
        after: timelineCursor(after, space, filters),
      })),
    };
  };
}
