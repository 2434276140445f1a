import { expect } from 'chai';
import { copySqliteRecords } from '../../src/adapters/sql/sqlite/copy-sqlite-records.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

it('A backup on SQLite continues the numbers of names above a gap, also of those that are gone with their space', async () => {
  const { knex, path, tearDown } = await newSqliteCatalog();
  const clock = new ManualClock();
  await sqlPorts(knex, { clock }).names.reserveNumbers(41);
  const copy = await copySqliteRecords(knex, `${path}.copy`, clock);
  const copied = openSqliteDatabase(`${path}.copy`);

  expect(await sqlPorts(copied, { clock }).names.highestNumber()).to.equal(10_041);
  await Promise.all([copy.close(), copied.destroy()]);
  await tearDown();
});

it('A listing of names on SQLite passes those that were removed, however many there are', async () => {
  const { knex, tearDown } = await newSqliteCatalog();
  let last: { readonly sql: string; readonly bindings: readonly string[] } | undefined;
  knex.once('query', (query: typeof last) => {
    last = query;
  });
  await sqlPorts(knex).names.in(COMMON_SPACE).list({ prefix: 'a', limit: 10 });

  const plan = await knex.raw<unknown>(`explain query plan ${last?.sql}`, [...(last?.bindings ?? [])]);
  expect(JSON.stringify(plan)).to.match(
    /USING INDEX names_listing_index \(space=\? AND name>\? AND name<\?\)/,
  );
  await tearDown();
});
