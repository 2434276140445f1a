import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { refusesLaterSchemas } from '../contracts/later-schema.contract.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describe('A process on a SQLite file that a later version migrates', () => {
  refusesLaterSchemas(async () => {
    const { knex, path, tearDown } = await newSqliteCatalog();
    const other = openSqliteDatabase(path);
    return {
      knex,
      other,
      tearDown: async () => {
        await other.destroy();
        await tearDown();
      },
    };
  });
});
