import type { Knex } from 'knex';

/**
 * Expands the schema: tables with spaces and narrower rows, beside those that earlier versions still read and write. Triggers note what
 * those versions change meanwhile. The tables are filled afterwards, and take the place of the old ones in `0010-use-spaces`.
 */
export async function up(knex: Knex): Promise<void> {
  const engine = engineOf(knex);
  const statements = [
    ...engine.before,
    ...tables(engine),
    ...changes(),
    ...engine.estimates,
    ...engine.triggers,
  ];
  for (const statement of statements) await knex.raw(statement);
}

export async function down(knex: Knex): Promise<void> {
  for (const statement of engineOf(knex).withoutTriggers) await knex.raw(statement);
  for (const table of NEXT_TABLES.toReversed()) await knex.schema.dropTable(`next_${table}`);
  await knex.raw('drop index changes_space_index');
  await knex.raw('alter table changes drop column space');
  for (const table of ['changed_images', 'spaces']) await knex.schema.dropTable(table);
}

/** A table comes after those that it references. */
export const NEXT_TABLES: readonly string[] = [
  'images',
  'image_metadata',
  'words',
  'image_words',
  'tags',
  'image_tags',
  'timeline_days',
  'image_appearances',
  'idempotency_keys',
];

const BANDS = [0, 1, 2, 3];

interface Engine {
  /** Of images and spaces: ids that are never reused. */
  readonly newId: (type: 'bigint' | 'integer') => string;
  /** Of words and tags: an upsert uses up a number for each one that is there already. */
  readonly id: string;
  /** Of images, in other tables: on SQLite, only `integer` is the row id itself. */
  readonly imageId: string;
  readonly uuid: string;
  readonly bytes: string;
  /** Sorted by code point. */
  readonly text: string;
  /** The table is its primary key, on engines that can. */
  readonly clustered: string;
  /** What the planner cannot know. */
  readonly estimates: readonly string[];
  readonly before: readonly string[];
  readonly triggers: readonly string[];
  readonly withoutTriggers: readonly string[];
}

function tables(engine: Engine): readonly string[] {
  return [
    ...spaces(engine),
    ...images(engine),
    ...metadata(engine),
    ...words(engine),
    ...appearances(engine),
  ];
}

function spaces({ newId, text }: Engine): readonly string[] {
  return [
    `create table spaces (
      id ${newId('integer')},
      images bigint not null default 0,
      bytes bigint not null default 0,
      trashed_images bigint not null default 0,
      trashed_bytes bigint not null default 0,
      -- Null: that of the settings.
      max_images bigint,
      max_bytes bigint,
      -- The highest place that an image of the space has got.
      last_place integer not null default 0,
      name ${text} not null unique
    )`,
    // The common space. Statements know its id.
    `insert into spaces (id, name) values (0, '')`,
    // Images to fill in again.
    'create table changed_images (id bigint primary key)',
  ];
}

function images({ newId, uuid, bytes }: Engine): readonly string[] {
  return [
    // Wide columns first: Postgres aligns each one.
    `create table next_images (
      id ${newId('bigint')},
      size bigint not null,
      created_at bigint not null,
      space integer not null,
      width integer not null,
      height integer not null,
      -- Counts within the space, in the order of the ids; null in the common space, where the id does.
      place integer,
      -- 1 JPEG, 2 PNG, 3 WebP, 4 GIF.
      media_type smallint not null,
      -- An earlier version calls it uuid. On SQLite its sweeper would find no UUID among these bytes, and remove every blob.
      blob_uuid ${uuid} not null,
      sha256 ${bytes} not null,
      -- An earlier version that reads this table fails, because its column has another name.
      thumbhash_bytes ${bytes} not null,
      original_name text not null,
      created_by text
    )`,
    'create unique index images_uuid_index on next_images (blob_uuid)',
    'create index images_space_index on next_images (space, id) where space <> 0',
    'create unique index images_place_index on next_images (space, place) where space <> 0',
    'create index images_space_media_type_index on next_images (space, media_type, id)',
    'create index images_space_sha256_index on next_images (space, substr(sha256, 1, 8), id)',
    'create index images_space_created_index on next_images (space, created_at, id)',
  ];
}

function metadata({ imageId, clustered, text, id }: Engine): readonly string[] {
  return [
    `create table next_image_metadata (
      image_id ${imageId} primary key references next_images (id) on delete cascade,
      -- Ms since 1970: of taken_at, else created_at of the image.
      taken_sort bigint not null,
      updated_at bigint,
      space integer not null,
      version integer not null,
      -- YYYYMMDD of taken_sort in the time zone of the catalog.
      taken_day integer not null,
      title text,
      description text,
      -- JSON array in the order shown; null if there is none.
      tags text,
      -- As shown: of a person, else of the camera.
      taken_at text,
      own_taken_at text,
      -- JSON object of what is known.
      capture text,
      -- Each with a space in front.
      words text not null
    )`,
    'create index image_metadata_space_taken_index on next_image_metadata (space, taken_sort, image_id)',
    'create index image_metadata_untagged_index on next_image_metadata (space, image_id) where tags is null',
    'create index image_metadata_undated_index on next_image_metadata (space, image_id) where taken_at is null',
    `create table next_tags (
      id ${id},
      space integer not null,
      images integer not null,
      fold ${text} not null,
      spelling text not null
    )`,
    'create unique index tags_fold_index on next_tags (space, fold)',
    'create index tags_count_index on next_tags (space, images, fold)',
    `create table next_image_tags (
      image_id bigint not null,
      taken_sort bigint not null,
      tag_id bigint not null,
      primary key (tag_id, image_id)
    ) ${clustered}`,
    'create index image_tags_tag_taken_index on next_image_tags (tag_id, taken_sort, image_id)',
    `create table next_timeline_days (
      space integer not null,
      day integer not null,
      images integer not null,
      primary key (space, day)
    ) ${clustered}`,
  ];
}

function words({ id, text, clustered }: Engine): readonly string[] {
  return [
    // With the words of cameras a second time behind @, and those of lenses behind #.
    `create table next_words (
      id ${id},
      space integer not null,
      images integer not null,
      word ${text} not null
    )`,
    'create unique index words_word_index on next_words (space, word)',
    `create table next_image_words (
      image_id bigint not null,
      word_id bigint not null,
      primary key (word_id, image_id)
    ) ${clustered}`,
    `create table next_idempotency_keys (
      claimed_at bigint not null,
      -- No foreign key: the key outlives its image, so that a retry returns 404.
      image_id bigint,
      space integer not null,
      token varchar(36) not null,
      -- The process that holds the key; see ProcessRegistry.
      holder varchar(64) not null,
      sha256 varchar(64) not null,
      scope varchar(1024) not null,
      key varchar(255) not null,
      primary key (space, scope, key)
    )`,
    'create index idempotency_keys_time_index on next_idempotency_keys (claimed_at)',
  ];
}

function appearances({ imageId }: Engine): readonly string[] {
  return [
    `create table next_image_appearances (
      image_id ${imageId} primary key references next_images (id) on delete cascade,
      -- The 48 bits of the other three bands: an index entry is enough to compare a hash.
      ${BANDS.map((band) => `dhash_without_${band} bigint not null`).join(', ')},
      -- 16 bits each.
      ${BANDS.map((band) => `dhash_${band} integer not null`).join(', ')},
      ${BANDS.map((band) => `phash_${band} integer not null`).join(', ')},
      -- 0xRRGGBB.
      mean_colour integer not null,
      -- 1 if the hash says nothing.
      flat integer not null,
      space integer not null
    )`,
    ...BANDS.map(
      (band) => `create index image_appearances_space_band_${band}_index
        on next_image_appearances (space, dhash_${band}, dhash_without_${band}, image_id) where flat = 0`,
    ),
  ];
}

function changes(): readonly string[] {
  return [
    'alter table changes add column space integer not null default 0',
    'create index changes_space_index on changes (space, number) where space <> 0',
  ];
}

/** Tables that earlier versions write to, and their column with the id of an image. */
const WRITTEN: ReadonlyArray<readonly [table: string, id: string]> = [
  ['images', 'id'],
  ['image_metadata', 'image_id'],
  ['image_appearances', 'image_id'],
];

const SQLITE: Engine = {
  newId: () => 'integer primary key autoincrement',
  id: 'integer primary key',
  imageId: 'integer',
  uuid: 'blob',
  bytes: 'blob',
  text: 'text',
  clustered: 'without rowid',
  estimates: [],
  before: [],
  triggers: WRITTEN.flatMap(([table, id]) =>
    ['insert', 'update', 'delete'].map(
      (event) => `create trigger noted_${table}_${event} after ${event} on ${table}
        begin insert into changed_images (id) values (${event === 'delete' ? 'old' : 'new'}.${id}) on conflict do nothing; end`,
    ),
  ),
  withoutTriggers: WRITTEN.flatMap(([table]) =>
    ['insert', 'update', 'delete'].map((event) => `drop trigger noted_${table}_${event}`),
  ),
};

/** Their statements bind a space. */
const READ_BY_SPACE = ['images', 'image_metadata', 'image_appearances', 'words', 'tags'];

const POSTGRES: Engine = {
  newId: (type) => `${type} primary key generated by default as identity`,
  id: 'bigint primary key generated always as identity',
  imageId: 'bigint',
  uuid: 'uuid',
  bytes: 'bytea',
  text: 'text collate "C"',
  clustered: '',
  // Of many spaces most are small, and the planner would read all of a large one. So it takes every space for one of four.
  estimates: READ_BY_SPACE.map(
    (table) => `alter table next_${table} alter column space set (n_distinct = 4)`,
  ),
  // The lock of changes, as `POSTGRES_DIALECT` takes it: writers have locks on one table and wait for another.
  before: ['select pg_advisory_xact_lock(1229152628, 2)'],
  triggers: [
    `create function note_changed_image() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        insert into changed_images values (cast(to_jsonb(old) ->> tg_argv[0] as bigint)) on conflict do nothing;
      else
        insert into changed_images values (cast(to_jsonb(new) ->> tg_argv[0] as bigint)) on conflict do nothing;
      end if;
      return null;
    end $$`,
    ...WRITTEN.map(
      ([table, id]) => `create trigger noted_${table} after insert or update or delete on ${table}
        for each row execute function note_changed_image('${id}')`,
    ),
  ],
  withoutTriggers: ['drop function note_changed_image() cascade'],
};

function engineOf(knex: Knex): Engine {
  const { client } = knex as { readonly client: { readonly driverName: string } };
  return client.driverName === 'pg' ? POSTGRES : SQLITE;
}
