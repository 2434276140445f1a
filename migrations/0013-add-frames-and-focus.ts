import type { Knex } from 'knex';

/** How many frames an image has, and what its crops keep. */
export async function up(knex: Knex): Promise<void> {
  // Null: one frame.
  await knex.raw('alter table images add column frames integer');
  // As the domain spells it; null: the middle.
  await knex.raw('alter table image_metadata add column focus text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table image_metadata drop column focus');
  await knex.raw('alter table images drop column frames');
}
