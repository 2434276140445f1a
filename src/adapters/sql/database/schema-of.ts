import type { Knex } from 'knex';
import { METADATA_TABLE } from '../search/metadata-row.ts';

/** Reads of images need the tables of images and of their metadata. */
export async function schemaOf(knex: Knex): Promise<'none' | 'older' | 'current'> {
  if (!(await knex.schema.hasTable('images'))) return 'none';
  return (await knex.schema.hasTable(METADATA_TABLE)) ? 'current' : 'older';
}
