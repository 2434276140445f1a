import { expect } from 'chai';
import type { Context } from 'koa';
import { timeline } from '../../src/adapters/http/listing/timeline.ts';
import type { RouteParts } from '../../src/adapters/http/route/route-parts.ts';
import type { SlowReads } from '../../src/adapters/sql/database/slow-reads.ts';
import { CountPeriods } from '../../src/application/find/count-periods.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { NO_TIMER, newSearches } from '../support/doubles/staying.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { countTurns } from '../support/time/count-turns.ts';

const DAYS = 10_000;
const MAX_DAYS_OF_A_TURN = 100;
const FIRST_DAY = Date.UTC(1990, 0, 1);

/** The rows of many days with an image each, without a wait for a database. */
const reads: SlowReads = {
  rows: async <Row>() => {
    const days = Array.from({ length: DAYS }, (_, at) => {
      const date = new Date(FIRST_DAY + at * 86_400_000).toISOString().slice(0, 10);
      return [Number(date.replaceAll('-', '')), 1];
    });
    return [{ json: JSON.stringify(days) } as Row];
  },
};

describe('A timeline of many days', () => {
  let catalog: Awaited<ReturnType<typeof newSqliteCatalog>>;

  before(async () => {
    catalog = await newSqliteCatalog();
  });

  after(() => catalog.tearDown());

  it('lets other requests run while it is made', async () => {
    const days = sqlPorts(catalog.knex, { slowReads: reads, timeZone: 'Europe/Berlin' });
    const countPeriods = new CountPeriods(days.timeline, newSearches(), NO_TIMER);
    const ctx = { state: { auth: { sub: 'a' } }, res: { once: () => {} } } as unknown as Context;
    const turns = countTurns();

    const { body } = await timeline.handler(
      { ctx, space: COMMON_SPACE, query: { by: 'day' } } as Parameters<typeof timeline.handler>[0],
      { countPeriods } as RouteParts,
    );

    // For the periods, and for their cursors.
    expect(turns.end()).to.be.at.least((2 * DAYS) / MAX_DAYS_OF_A_TURN);
    expect(body).to.have.length(DAYS);
  });
});
