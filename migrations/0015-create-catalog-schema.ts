import type { Knex } from 'knex';

/** Which versions of the service can use the catalog. Every version reads this table, so it stays as it is. */
export async function up(knex: Knex): Promise<void> {
  const statements = [
    `create table catalog_schema (
      -- Always 1, so that there is only one row.
      singleton integer primary key check (singleton = 1),
      -- The number of the last migration of the oldest version that can use the tables.
      least integer not null,
      -- That version.
      version text not null
    )`,
    "insert into catalog_schema (singleton, least, version) values (1, 0, '')",
  ];
  for (const statement of statements) await knex.raw(statement);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('catalog_schema');
}
