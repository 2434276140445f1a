import { expect } from 'chai';
import { SqlNames } from '../../src/adapters/sql/names/sql-names.ts';
import { copySqliteRecords } from '../../src/adapters/sql/sqlite/copy-sqlite-records.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { SqlitePreparedReads } from '../../src/adapters/sql/sqlite/sqlite-prepared-reads.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { keepsNames } from '../contracts/names.contract.ts';
import { sqlNames } from '../contracts/sql-names.ts';
import { databaseOn } from '../support/fixtures/database-on.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

keepsNames('SqlNames on SQLite', async () => {
  const { knex, other, path, tearDown } = await newSqliteCatalog(2);
  const reads = new SqlitePreparedReads(path);
  return {
    ...sqlNames(knex, other, reads),
    tearDown: async () => {
      await reads.close();
      await tearDown();
    },
  };
});

it('A backup on SQLite continues the numbers of names above a gap, also of those that are gone with their space', async () => {
  const { knex, path, tearDown } = await newSqliteCatalog();
  const clock = new ManualClock();
  await new SqlNames(databaseOn(knex), clock).reserveNumbers(41);
  const copy = await copySqliteRecords(knex, `${path}.copy`, clock);
  const copied = openSqliteDatabase(`${path}.copy`);

  expect(await new SqlNames(databaseOn(copied), clock).highestNumber()).to.equal(10_041);
  await Promise.all([copy.close(), copied.destroy()]);
  await tearDown();
});

it('A listing of names on SQLite passes those that were removed, however many there are', async () => {
  const { knex, tearDown } = await newSqliteCatalog();
  let last: { readonly sql: string; readonly bindings: readonly string[] } | undefined;
  knex.once('query', (query: typeof last) => {
    last = query;
  });
  await new SqlNames(databaseOn(knex), new ManualClock()).in(COMMON_SPACE).list({ prefix: 'a', limit: 10 });

  const plan = await knex.raw<unknown>(`explain query plan ${last?.sql}`, [...(last?.bindings ?? [])]);
  expect(JSON.stringify(plan)).to.match(
    /USING INDEX names_listing_index \(space=\? AND name>\? AND name<\?\)/,
  );
  await tearDown();
});
