import { migrationSource } from '../../../migrations/migration-source.ts';
import { openPostgresMigrator } from '../../../src/adapters/sql/postgres/open-postgres-database.ts';
import type { PostgresLocation } from '../../../src/adapters/sql/postgres/postgres-location.ts';
import { migrate } from '../../../src/adapters/sql/schema/migrate.ts';
import { openSqliteDatabase } from '../../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { SqliteLocation } from '../../../src/adapters/sql/sqlite/sqlite-location.ts';
import { parseStorageConfig } from '../../../src/infrastructure/config/config.ts';

// Migrates the database of DATABASE_URL, and is killed after the last migration but before the commit.
const { database } = parseStorageConfig(process.env);
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

const knex =
  database instanceof SqliteLocation
    ? openSqliteDatabase(database.file)
    : openPostgresMigrator((database as PostgresLocation).connection(1));
await migrate(knex, interrupted);
