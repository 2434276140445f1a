import { join } from 'node:path';
import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/database/migrate.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts';
import { fillsTheIndex } from '../contracts/fill-search-index.contract.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';

describe('The search index, on SQLite', () => {
  fillsTheIndex(async () => {
    const folder = await temporaryFolder();
    const knex = openSqliteDatabase(join(folder.path, 'catalog.sqlite'));
    await migrate(knex, migrationSource);
    await knex.raw('PRAGMA synchronous = OFF');
    return {
      knex,
      close: async () => {
        await knex.destroy();
        await folder.remove();
      },
    };
  });
});
