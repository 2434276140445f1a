import type { Knex } from 'knex';
import { LAST_MIGRATION, requireSchemaIfAny } from './require-schema.ts';

/**
 * `older` also for a catalog whose tables of the current version are still filled.
 *
 * @throws {CatalogTooNew}
 */
export async function schemaOf(knex: Knex): Promise<'none' | 'older' | 'current'> {
  await requireSchemaIfAny(knex);
  if (!(await knex.schema.hasTable('images'))) return 'none';
  const isFilled = (await knex.schema.hasTable('spaces')) && !(await knex.schema.hasTable('changed_images'));
  const last: unknown = await knex('knex_migrations')
    .where('name', 'like', `${LAST_MIGRATION}-%`)
    .first('id');
  return isFilled && last !== undefined ? 'current' : 'older';
}
