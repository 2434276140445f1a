import type { Knex } from 'knex';
import { requireSchemaIfAny } from './require-schema.ts';

/**
 * `older` also for a catalog whose tables of the current version are still filled.
 *
 * @throws {CatalogTooNew}
 */
export async function schemaOf(knex: Knex): Promise<'none' | 'older' | 'current'> {
  await requireSchemaIfAny(knex);
  if (!(await knex.schema.hasTable('images'))) return 'none';
  const isFilled = (await knex.schema.hasTable('spaces')) && !(await knex.schema.hasTable('changed_images'));
  return isFilled ? 'current' : 'older';
}
