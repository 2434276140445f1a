import { expect } from 'chai';
import type { Knex } from 'knex';
import { SqlChangeFeed } from '../../src/adapters/sql/changes/sql-change-feed.ts';
import type { NameReads } from '../../src/adapters/sql/names/named-image-row.ts';
import { SqlNames } from '../../src/adapters/sql/names/sql-names.ts';
import { openPostgresDatabase } from '../../src/adapters/sql/postgres/postgres-database.ts';
import { PostgresPreparedReads } from '../../src/adapters/sql/postgres/postgres-prepared-reads.ts';
import { ObjectionImageRepository } from '../../src/adapters/sql/records/objection-image-repository.ts';
import { SqlSpaces } from '../../src/adapters/sql/records/sql-spaces.ts';
import { copySqliteRecords } from '../../src/adapters/sql/sqlite/copy-sqlite-records.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts';
import { SqlitePreparedReads } from '../../src/adapters/sql/sqlite/sqlite-prepared-reads.ts';
import { NO_LIMITS } from '../../src/domain/space/space.ts';
import { keepsNames, type NamesUnderTest } from '../contracts/names.contract.ts';
import { plantNames } from '../support/fixtures/plant-names.ts';
import { describeOnPostgres } from '../support/servers/postgres-server.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

function namesIn(knex: Knex, other: Knex, reads?: NameReads): Omit<NamesUnderTest, 'tearDown'> {
  const clock = new ManualClock();
  return {
    names: new SqlNames(knex, clock, reads),
    spaces: new SqlSpaces(knex, NO_LIMITS),
    changes: new SqlChangeFeed(knex),
    processes: [new ObjectionImageRepository(knex, clock), new ObjectionImageRepository(other, clock)],
    clock,
    mispoint: async (name, imageId) => {
      await knex('names').where({ name }).update({ image_id: imageId });
    },
    plant: async (imageId, count) => await plantNames(knex, imageId, count),
  };
}

keepsNames('SqlNames on SQLite', async () => {
  const { knex, path, tearDown } = await newSqliteCatalog();
  const other = openSqliteDatabase(path);
  const reads = new SqlitePreparedReads(path);
  return {
    ...namesIn(knex, other, reads),
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

describeOnPostgres('Names on Postgres', (server) => {
  keepsNames('SqlNames', async () => {
    const database = await server().newCatalog();
    const [knex, other] = [1, 2].map(() => openPostgresDatabase({ ...database.connection, poolMax: 4 })) as [
      Knex,
      Knex,
    ];
    return {
      ...namesIn(knex, other, new PostgresPreparedReads(knex)),
      tearDown: async () => {
        await Promise.all([knex.destroy(), other.destroy()]);
        await database.drop();
      },
    };
  });
});
