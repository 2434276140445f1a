import type { Knex } from 'knex';

/** Names that were removed leave the table, and what finds them. */
export async function up(knex: Knex): Promise<void> {
  const statements = [
    `create table forgotten_names (
      -- The highest of a name that was forgotten: later names begin above it.
      version integer not null
    )`,
    'insert into forgotten_names (version) values (0)',
    'create index names_removed_index on names (updated_at) where image_id is null',
    // A listing reads no removed name.
    'create index names_listing_index on names (space, name) where image_id is not null',
    `create index changes_name_index on changes (space, ${comparedName(knex)}) where name is not null`,
  ];
  for (const statement of statements) await knex.raw(statement);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index changes_name_index');
  for (const index of ['names_listing_index', 'names_removed_index']) await knex.raw(`drop index ${index}`);
  await knex.schema.dropTable('forgotten_names');
}

/** As a comparison with a name of `names` has it. */
function comparedName(knex: Knex): string {
  const { client } = knex as { readonly client: { readonly driverName: string } };
  return client.driverName === 'pg' ? 'name collate "C"' : 'name';
}
