import { migrationSource } from '../../migrations/migration-source.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite-database.ts';

// Migrates the database that it is given, and is killed when the last migration has run and nothing is committed yet.
const [path = ''] = process.argv.slice(2);
const last = (await migrationSource.getMigrations([])).at(-1);

const interrupted: typeof migrationSource = {
  ...migrationSource,
  getMigration: async (migration) => ({
    ...migration,
    up: async (knex): Promise<void> => {
      await migration.up(knex);
      if (migration !== last) return;
      process.kill(process.pid, 'SIGKILL');
      await new Promise(() => {});
    },
  }),
};

await migrate(openSqliteDatabase(path), interrupted);
