import type { Knex } from 'knex';
import { CATALOG_SCHEMA, requireSchema } from '../database/require-schema.ts';
import { DevelopmentCatalog } from './development-catalog.ts';

const MIGRATIONS = 'knex_migrations';

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
