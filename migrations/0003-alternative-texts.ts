import type { Knex } from 'knex';

/**
 * The alternative text of each image, and the indexes of two filters: images without one, and images of one uploader. The version before
 * works with these tables, but images that it moves to the trash lose their alternative text.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table image_metadata add column alt text');
  await knex.raw(
    'create index image_metadata_no_alt_index on image_metadata (space, image_id) where alt is null',
  );
  await knex.raw(`create index images_space_created_by_index on images (space, created_by, id)
    where created_by is not null`);
}
