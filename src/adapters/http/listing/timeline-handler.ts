import type { CountPeriods } from '../../../application/count-periods.ts';
import type { Handler } from '../openapi/operation.ts';
import type { Operations } from '../openapi/operations.ts';
import { asCaller } from '../while-client-stays.ts';
import { filterOf } from './filter-query.ts';
import { timelineCursor } from './list-query.ts';

export function timelineHandler(countPeriods: CountPeriods): Handler<Operations['timeline']> {
  return async ({ ctx, query: { by, ...filters } }) => {
    const periods = await asCaller(ctx, (caller) => countPeriods.execute(by, filterOf(filters), caller));
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
