import { expect } from 'chai';
import type { Context } from 'koa';
import { timeline } from '../../src/adapters/http/listing/timeline.ts';
import type { RouteParts } from '../../src/adapters/http/route/route-parts.ts';
import type { SlowReads } from '../../src/adapters/sql/database/slow-reads.ts';
import { rowsOf, type SqlFragment } from '../../src/adapters/sql/database/sql-fragment.ts';
import { CountPeriods } from '../../src/application/find/count-periods.ts';
import type { Turns } from '../../src/domain/ports/process/turns.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { AT_ONCE, NO_TIMER, newSearches } from '../support/doubles/staying.ts';
import { rejection } from '../support/fixtures/rejection.ts';
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

  it('is read ten thousand days at a time, and adds up the parts of a month', async () => {
    await insertDays(25_000);
    const lengths: number[] = [];
    const slowReads: SlowReads = {
      rows: async <Row>(statement: SqlFragment) => {
        const found = await rowsOf<Row & { readonly json?: string }>(catalog.knex, statement);
        for (const { json = '[]' } of found) lengths.push((JSON.parse(json) as readonly unknown[]).length);
        return found;
      },
    };
    const timelineOf = sqlPorts(catalog.knex, { slowReads }).timeline.in(COMMON_SPACE);

    const days = await timelineOf.periods('day', {}, AT_ONCE);
    const months = await timelineOf.periods('month', {}, AT_ONCE);

    expect(Math.max(...lengths)).to.equal(10_000);
    expect(days).to.have.length(25_000);
    expect(days[0]?.period).to.equal('0075-05-24');
    expect(months.map(({ count }) => count)).to.deep.equal([24, ...Array(892).fill(28)]);
  });

  it('ends when its time is over', async () => {
    const days = sqlPorts(catalog.knex, { slowReads: reads }).timeline.in(COMMON_SPACE);
    const ended = new AbortController();
    const over = new Error('over');
    const turns: Turns = {
      stopped: ended.signal,
      run: async (portion) => {
        const found = await portion();
        ended.abort(over);
        return found;
      },
    };

    expect(await rejection(days.periods('day', {}, turns))).to.equal(over);
  });

  /** One image on each of the first 28 days of each month, from the year 1 on. */
  async function insertDays(count: number): Promise<void> {
    const month = 'n / 28 % 12 + 1';
    await catalog.knex.raw(`insert into timeline_days (space, day, images)
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
      select 0, (n / 28 / 12 + 1) * 10000 + (${month}) * 100 + n % 28 + 1, 1 from numbers`);
  }
});
