import { migrationSource } from '../../../migrations/migration-source.ts';
import { migrate } from '../../../src/adapters/sql/database/migrate.ts';
import { openPostgresMigrator } from '../../../src/adapters/sql/postgres/postgres-database.ts';
import type { PostgresLocation } from '../../../src/adapters/sql/postgres/postgres-location.ts';
import { openSqliteDatabase } from '../../../src/adapters/sql/sqlite/sqlite-database.ts';
import { SqliteLocation } from '../../../src/adapters/sql/sqlite/sqlite-location.ts';
import { parseStorageConfig } from '../../../src/infrastructure/config/config.ts';

// Migrates the database of DATABASE_URL, and is killed while it fills the second page.
const { database } = parseStorageConfig(process.env);
const knex =
  database instanceof SqliteLocation
    ? openSqliteDatabase(database.file)
    : openPostgresMigrator((database as PostgresLocation).connection(1));
let pages = 0;
knex.on('query', ({ sql }: { readonly sql: string }) => {
  if (sql.startsWith('insert into next_image_metadata')) pages += 1;
  if (pages === 2) process.kill(process.pid, 'SIGKILL');
});
await migrate(knex, migrationSource);
