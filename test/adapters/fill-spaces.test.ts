import { dirname, join } from 'node:path';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts';
import { fillsSpaces } from '../contracts/fill-spaces.contract.ts';
import { halfFill } from '../support/servers/half-fill.ts';
import { newSqliteCatalog } from '../support/servers/sqlite-catalog.ts';

describe('Tables with spaces, on SQLite', () => {
  fillsSpaces(async () => {
    const { knex: fresh, path, tearDown } = await newSqliteCatalog();
    const old = join(dirname(path), 'old.sqlite');
    const [knex, other] = [openSqliteDatabase(old), openSqliteDatabase(old)];
    await knex.raw('PRAGMA synchronous = OFF');
    return {
      knex,
      other,
      fresh,
      migrateHalf: () => halfFill(`sqlite:${old}`),
      close: async () => {
        await Promise.all([knex.destroy(), other.destroy()]);
        await tearDown();
      },
    };
  });
});
