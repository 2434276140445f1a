import { expect } from 'chai';
import { SqlNames } from '../../src/adapters/sql/names/sql-names.ts';
import { copySqliteRecords } from '../../src/adapters/sql/sqlite/copy-sqlite-records.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts';
import { SqlitePreparedReads } from '../../src/adapters/sql/sqlite/sqlite-prepared-reads.ts';
import { keepsNames } from '../contracts/names.contract.ts';
import { sqlNames } from '../contracts/sql-names.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

keepsNames('SqlNames on SQLite', async () => {
  const { knex, path, tearDown } = await newSqliteCatalog();
  const other = openSqliteDatabase(path);
  const reads = new SqlitePreparedReads(path);
  return {
    ...sqlNames(knex, other, reads),
    tearDown: async () => {
      await Promise.all([reads.close(), other.destroy()]);
      await tearDown();
    },
  };
});

it('A backup on SQLite continues the numbers of names, also of those that are gone with their space', async () => {
  const { knex, path, tearDown } = await newSqliteCatalog();
  const clock = new ManualClock();
  await new SqlNames(knex, clock).reserveNumbers(41);
  const copy = await copySqliteRecords(knex, `${path}.copy`, clock);
  const copied = openSqliteDatabase(`${path}.copy`);

  expect(await new SqlNames(copied, clock).highestNumber()).to.equal(41);
  await Promise.all([copy.close(), copied.destroy()]);
  await tearDown();
});
