import type { Knex } from 'knex';

/** The records of the catalog. Each index serves one filter of the listing and ends in the id, the key of the pages. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('images', (table) => {
    // AUTOINCREMENT on SQLite, a sequence on Postgres: an id is never reused.
    table.bigIncrements('id');
    table.uuid('uuid').notNullable().unique();
    table.text('original_name').notNullable();
    table.string('media_type', 32).notNullable();
    table.bigInteger('size').notNullable();
    table.integer('width').notNullable();
    table.integer('height').notNullable();
    table.string('sha256', 64).notNullable();
    table.string('thumbhash', 64).notNullable();
    // Milliseconds since 1970-01-01T00:00:00Z: exact, ordered and the same on every engine.
    table.bigInteger('created_at').notNullable();
    table.index(['media_type', 'id'], 'images_media_type_index');
    table.index(['sha256', 'id'], 'images_sha256_index');
    table.index(['created_at', 'id'], 'images_created_at_index');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('images');
}
