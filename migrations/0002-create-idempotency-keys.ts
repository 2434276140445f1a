import type { Knex } from 'knex';

/** Idempotency keys of uploads: claimed (`image_id` is null) or completed. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('idempotency_keys', (table) => {
    table.string('scope', 1024).notNullable();
    table.string('key', 255).notNullable();
    table.primary(['scope', 'key']);
    table.string('sha256', 64).notNullable();
    table.uuid('token').notNullable();
    // The process that holds the key; see ProcessRegistry.
    table.string('holder', 64).notNullable();
    // No foreign key: the key outlives its image, so that a retry returns 404.
    table.bigInteger('image_id');
    table.bigInteger('claimed_at').notNullable().index('idempotency_keys_claimed_at_index');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('idempotency_keys');
}
