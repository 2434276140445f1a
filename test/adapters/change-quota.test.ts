import { expect } from 'chai';
import { up as createTables } from '../../migrations/0001-create-tables.ts';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/schema/migrate.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { boundsChanges } from '../contracts/change-quota.ts';
import { sqlPorts } from '../support/fixtures/sql-ports.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describe('The limit of changes on SQLite', () => {
  boundsChanges(() => newSqliteCatalog(2));
});

it('A catalog of the first schema on SQLite is migrated, and shows changes that the version before writes', async () => {
  const folder = await temporaryFolder();
  const knex = openSqliteDatabase(`${folder.path}/catalog.sqlite`);
  const [first] = await migrationSource.getMigrations([]);
  await migrate(knex, {
    getMigrations: async () => [{ ...first, up: createTables }],
    getMigrationName: () => '0001-create-tables',
    getMigration: async (migration) => migration as never,
  });
  const insert = "insert into changes (number, image_id, kind, actor) values (?, 1, 1, 'alice')";
  await knex.raw(insert, [1]);

  expect(await migrate(knex, migrationSource)).to.deep.equal([
    '0002-count-changes',
    '0003-alternative-texts',
    '0004-publish-names',
  ]);
  await knex.raw(insert, [2]);

  const page = await sqlPorts(knex).changes.readPage(undefined, 10);
  expect(page?.changes.map(({ by }) => by)).to.deep.equal(['alice', 'alice']);
  expect(await knex('catalog_schema').first()).to.include({ least: 0 });
  await knex.destroy();
  await folder.remove();
});
