import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { keepsSpacesApart } from '../contracts/spaces.contract.ts';
import { sqlSpaces } from '../support/fixtures/sql-spaces.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

keepsSpacesApart('SqlSpaces on SQLite', async () => {
  const { knex, path, tearDown } = await newSqliteCatalog();
  const other = openSqliteDatabase(path);
  return {
    ...sqlSpaces(knex, other),
    tearDown: async () => {
      await other.destroy();
      await tearDown();
    },
  };
});
