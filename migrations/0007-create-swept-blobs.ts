import type { Knex } from 'knex';

/** The UUIDs of blobs that the sweeper has removed, or is about to. An upload that was slower gets no record. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('swept_blobs', (table) => {
    // Rows stay: no time is long enough for a process that was suspended. UUIDs never come back.
    table.uuid('uuid').primary();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('swept_blobs');
}
