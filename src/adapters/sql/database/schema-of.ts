import type { Knex } from 'knex';
import { CHANGES_TABLE } from '../changes/recorded-changes.ts';

/** By the newest table that commands read. */
export async function schemaOf(knex: Knex): Promise<'none' | 'older' | 'current'> {
  if (!(await knex.schema.hasTable('images'))) return 'none';
  return (await knex.schema.hasTable(CHANGES_TABLE)) ? 'current' : 'older';
}
