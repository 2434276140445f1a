import type { Knex } from 'knex';

/** Metadata and the indexes for finding, written together. They are filled at start, because words are made by the application. */
export async function up(knex: Knex): Promise<void> {
  const { text, id, clustered } = typesOf(knex);
  const statements = [
    `create table image_metadata (
      image_id ${id} primary key references images (id) on delete cascade,
      version integer not null,
      title text,
      description text,
      -- JSON array in the order shown; null if there is none.
      tags text,
      -- As shown: of a person, else of the camera.
      taken_at text,
      own_taken_at text,
      -- JSON object of what is known.
      capture text,
      -- Ms since 1970: of taken_at, else created_at of the image.
      taken_sort bigint not null,
      -- YYYYMMDD of taken_sort in the time zone of the catalog.
      taken_day integer not null,
      -- Each with a space in front.
      words text not null,
      updated_at bigint
    )`,
    'create index image_metadata_taken_index on image_metadata (taken_sort, image_id)',
    `create table image_words (
      word ${text} not null,
      image_id bigint not null,
      primary key (word, image_id)
    ) ${clustered}`,
    `create table tags (
      id ${id} primary key ${clustered === '' ? 'generated always as identity' : ''},
      fold ${text} not null unique,
      spelling text not null,
      images integer not null
    )`,
    'create index tags_images_index on tags (images, fold)',
    `create table image_tags (
      tag_id bigint not null,
      image_id bigint not null,
      taken_sort bigint not null,
      primary key (tag_id, image_id)
    ) ${clustered}`,
    'create index image_tags_taken_index on image_tags (tag_id, taken_sort, image_id)',
    `create table timeline_days (
      day integer primary key,
      images integer not null
    )`,
    // One row: the time zone of the days, and the highest id up to which all images have metadata.
    `create table finding_state (
      singleton integer primary key check (singleton = 1),
      time_zone text not null,
      filled_up_to bigint not null
    )`,
  ];
  for (const statement of statements) await knex.raw(statement);
}

export async function down(knex: Knex): Promise<void> {
  const tables = ['finding_state', 'timeline_days', 'image_tags', 'tags', 'image_words', 'image_metadata'];
  for (const table of tables) await knex.schema.dropTable(table);
}

interface Types {
  /** Sorted by code point. */
  readonly text: string;
  /** On SQLite, only `integer` is the row id itself. */
  readonly id: string;
  /** The table is its primary key, on engines that can. */
  readonly clustered: string;
}

function typesOf(knex: Knex): Types {
  const { client } = knex as { readonly client: { readonly driverName: string } };
  if (client.driverName === 'pg') return { text: 'text collate "C"', id: 'bigint', clustered: '' };
  return { text: 'text', id: 'integer', clustered: 'without rowid' };
}
