import type { Knex } from 'knex';

/** The keys of signed links, and the images that links may outlive. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('link_keys', (table) => {
    table.integer('generation').primary();
    table.binary('secret').notNullable();
    table.bigInteger('created_at').notNullable();
  });
  // The MAC of a link covers the UUID: without it, a link to a deleted image could not be told from a forged one.
  await knex.schema.createTable('deleted_images', (table) => {
    table.bigInteger('id').primary();
    table.uuid('uuid').notNullable();
    table.bigInteger('deleted_at').notNullable().index('deleted_images_deleted_at_index');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('deleted_images');
  await knex.schema.dropTable('link_keys');
}
