import type { Knex } from 'knex';

/** Which process sweeps which part of the blob store, and which blobs there have had no record. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('sweep_slices', (table) => {
    // Keys of blobs begin with it. Slices are split when they become too large; the first is the whole store.
    table.text('prefix').primary();
    // By the clock of the database.
    table.bigInteger('swept_at').notNullable().defaultTo(0);
    table.bigInteger('taken_at').notNullable().defaultTo(0);
    table.text('owner');
    table.bigInteger('held_until').notNullable().defaultTo(0);
  });
  await knex('sweep_slices').insert({ prefix: '' });
  await knex.schema.createTable('watched_blobs', (table) => {
    table.uuid('uuid').primary();
    table.bigInteger('since').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('watched_blobs');
  await knex.schema.dropTable('sweep_slices');
}
