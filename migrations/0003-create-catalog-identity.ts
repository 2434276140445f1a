import type { Knex } from 'knex';

/** The identity of the catalog: one row, inserted by the first process that reads it. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('catalog_identity', (table) => {
    // Always 1, so that there is only one row.
    table.integer('singleton').primary();
    table.uuid('id').notNullable();
    table.check('?? = 1', ['singleton'], 'catalog_identity_singleton_check');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('catalog_identity');
}
