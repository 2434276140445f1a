import { expect } from 'chai';
import type { Knex } from 'knex';
import { sql } from '../../src/adapters/sql/database/sql-fragment.ts';
import { PostgresSlowReads } from '../../src/adapters/sql/postgres/postgres-slow-reads.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { describeOnPostgres, useCatalog } from '../support/servers/postgres-server.ts';
import { eventually } from '../support/time/eventually.ts';

const ONE = sql`select ${1}::int as n`;
/** Why a statement is ended. */
const STOPPED = new Error('stopped');
/** Longer than any test may take, were it not cancelled. */
const LONG = sql`select pg_sleep(3600)`;

describeOnPostgres('PostgresSlowReads', (server) => {
  const catalog = useCatalog(server, 2, 1);
  let others: Knex;
  let reads: PostgresSlowReads;

  before(async () => {
    others = catalog().other;
    reads = new PostgresSlowReads(catalog().knex, others);
  });

  async function isSleeping(): Promise<boolean> {
    const { rows } = await others.raw<{ readonly rows: readonly unknown[] }>(
      `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and wait_event = 'PgSleep'`,
    );
    return rows.length > 0;
  }

  it('end a statement when they are stopped, and read again on its connection', async () => {
    for (let ends = 0; ends < 3; ends += 1) {
      const stopping = new AbortController();
      const slow = rejection(reads.rows(LONG, stopping.signal));
      expect(await eventually(isSleeping, (seen) => seen)).to.equal(true);

      stopping.abort(STOPPED);

      expect(await slow).to.equal(STOPPED);
      expect(await isSleeping()).to.equal(false);
      expect(await reads.rows(ONE, STAYING)).to.deep.equal([{ n: 1 }]);
    }
  });

  it('begin no statement if they are stopped', async () => {
    expect(await rejection(reads.rows(ONE, AbortSignal.abort(STOPPED)))).to.equal(STOPPED);
  });

  it('throw other errors as they are', async () => {
    expect((await rejection(reads.rows(sql`select * from nothing`, STAYING))).message).to.match(/nothing/);
  });
});
