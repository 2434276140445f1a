import type { CountPeriods } from '../../../application/count-periods.ts';
import type { Handler } from '../openapi/operation.ts';
import { filterOf } from './filter-query.ts';
import { timelineCursor } from './list-query.ts';
import type { timelineOperation } from './listing-operations.ts';

export function timelineHandler(countPeriods: CountPeriods): Handler<typeof timelineOperation> {
  return async ({ query: { by, ...filters } }) => {
    const periods = await countPeriods.execute(by, filterOf(filters));
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: periods.map(({ period, count, after }) => ({
        period,
        count,
        after: timelineCursor(after, filters),
      })),
    };
  };
}
