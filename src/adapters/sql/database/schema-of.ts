import type { Knex } from 'knex';
import { CATALOG_SCHEMA, requireSchema } from './require-schema.ts';

const MIGRATIONS = 'knex_migrations';

/** Its migrations do not begin with the first one of the releases. */
export class DevelopmentCatalog extends Error {
  constructor() {
    super(
      'this catalog was made by a development version; export it with that version, and import the export with this one',
    );
  }
}

/**
 * `older`: some of the migrations have not run.
 *
 * @throws {CatalogTooNew}
 * @throws {DevelopmentCatalog}
 */
export async function schemaOf(
  knex: Knex,
  source: Knex.MigrationSource<unknown>,
): Promise<'none' | 'older' | 'current'> {
  if (await knex.schema.hasTable(CATALOG_SCHEMA)) await requireSchema(knex);
  const ran = (await knex.schema.hasTable(MIGRATIONS))
    ? await knex(MIGRATIONS).orderBy('id').pluck<string[]>('name')
    : [];
  const names = (await source.getMigrations([])).map((migration) => source.getMigrationName(migration));
  if (ran.length === 0) return 'none';
  if (ran[0] !== names[0]) throw new DevelopmentCatalog();
  return names.every((name) => ran.includes(name)) ? 'current' : 'older';
}
