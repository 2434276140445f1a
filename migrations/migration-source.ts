import type { Knex } from 'knex';
import { up as createCatalog } from './0001-create-tables.ts';
import { up as countChanges } from './0002-count-changes.ts';
import { up as addAlternativeTexts } from './0003-alternative-texts.ts';
import { up as publishNames } from './0004-publish-names.ts';

interface NamedMigration extends Knex.Migration {
  readonly name: string;
}

/** Knex requires it. */
async function down(): Promise<never> {
  throw new Error('Migrations are not undone: restore a backup');
}

/**
 * All migrations in their order. The names have no file extension, so that the sources (`.ts`) open a database made by the
 * build (`.js`).
 */
const MIGRATIONS: readonly NamedMigration[] = [
  { name: '0001-create-tables', up: createCatalog, down },
  { name: '0002-count-changes', up: countChanges, down },
  { name: '0003-alternative-texts', up: addAlternativeTexts, down },
  { name: '0004-publish-names', up: publishNames, down },
];

export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: (migration) => migration.name,
  getMigration: async (migration) => migration,
};
