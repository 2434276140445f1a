import type { Knex } from 'knex';

/** Which catalog this is: one row, made by the first process that asks for it. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('catalog_identity', (table) => {
    // Always 1: there cannot be a second row.
    table.integer('singleton').primary();
    table.uuid('id').notNullable();
    table.check('?? = 1', ['singleton'], 'catalog_identity_singleton_check');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('catalog_identity');
}
