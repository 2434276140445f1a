import type { Knex } from 'knex';

/**
 * Names that have a public address. The version before works with these columns: it sets and removes names without looking at them, so
 * `PUBLISH_NAMES` is for the time when no process of that version runs any more.
 */
export async function up(knex: Knex): Promise<void> {
  for (const statement of STATEMENTS) await knex.raw(statement);
}

const STATEMENTS: readonly string[] = [
  // 1: the name is public. Of a name that was removed it says nothing.
  'alter table names add column is_public smallint not null default 0',
  // Of name.set alone, after the change; null in changes of the versions before.
  'alter table changes add column is_public smallint',
  // One index for both values of the filter.
  'create index names_public_index on names (space, is_public, name) where image_id is not null',
];
