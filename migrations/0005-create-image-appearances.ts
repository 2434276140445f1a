import type { Knex } from 'knex';

const BANDS = [0, 1, 2, 3];

/** How images look. Images of older versions have no row until their pixels are read again. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('image_appearances', (table) => {
    table.bigInteger('image_id').primary();
    table.foreign('image_id').references('images.id').onDelete('CASCADE');
    // 16 bits each.
    for (const band of BANDS) table.integer(`dhash_${band}`).notNullable();
    // The 48 bits of the other three bands: an index entry is enough to compare a hash.
    for (const band of BANDS) table.bigInteger(`dhash_without_${band}`).notNullable();
    for (const band of BANDS) table.integer(`phash_${band}`).notNullable();
    // 0xRRGGBB.
    table.integer('mean_colour').notNullable();
    // 1 if the hash says nothing.
    table.integer('flat').notNullable();
  });
  for (const band of BANDS) {
    await knex.raw(
      `create index image_appearances_band_${band}_index
      on image_appearances (dhash_${band}, dhash_without_${band}, image_id) where flat = 0`,
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('image_appearances');
}
