import type { Knex } from 'knex';
import * as createImages from './0001-create-images.ts';
import * as createIdempotencyKeys from './0002-create-idempotency-keys.ts';
import * as createCatalogIdentity from './0003-create-catalog-identity.ts';

interface NamedMigration extends Knex.Migration {
  readonly name: string;
}

/**
 * All migrations in their order. The names have no file extension, so that the sources (`.ts`) open a database made by the
 * build (`.js`).
 */
const MIGRATIONS: readonly NamedMigration[] = [
  { name: '0001-create-images', ...createImages },
  { name: '0002-create-idempotency-keys', ...createIdempotencyKeys },
  { name: '0003-create-catalog-identity', ...createCatalogIdentity },
];

export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: (migration) => migration.name,
  getMigration: async (migration) => migration,
};
