import type { Knex } from 'knex';

/**
 * All tables, by the rooms of `src/adapters/sql`. Wide columns come first, because Postgres aligns each one. Times are milliseconds since
 * 1970, exact and the same on every engine, by the clock of the service unless a comment says otherwise.
 */
export async function up(knex: Knex): Promise<void> {
  const { client } = knex as { readonly client: { readonly driverName: string } };
  const engine = client.driverName === 'pg' ? POSTGRES : SQLITE;
  const rooms = [catalog, spaces, images, search, similar, changes, names, trash, links, uploads, sweep];
  const statements = [...rooms.flatMap((room) => room(engine)), ...engine.estimates];
  for (const statement of statements) await knex.raw(statement);
}

interface Engine {
  /** Of images, names and spaces: ids that are never reused. */
  readonly newId: (type: 'bigint' | 'integer') => string;
  /** Of words and tags: an upsert uses up a number for each one that is there already. */
  readonly id: string;
  /** On SQLite, only `integer` is the row id itself. */
  readonly rowId: string;
  /** In tables with a row for each image. */
  readonly uuid: string;
  /** In all other tables. */
  readonly uuidText: string;
  readonly bytes: string;
  /** Sorted by code point. */
  readonly text: string;
  /** As a comparison with a name of `names` has it. */
  readonly comparedName: string;
  /** 48 random bits, exact as a number. */
  readonly mark: string;
  /** The table is its primary key, on engines that can. */
  readonly clustered: string;
  /** Storage of tables with rows for each image. */
  readonly large: string;
  /** Storage of tables whose rows are changed again and again. */
  readonly counted: string;
  /** What the planner cannot know. */
  readonly estimates: readonly string[];
}

/** What the catalog is: one row in each table. */
function catalog({ uuidText }: Engine): readonly string[] {
  return [
    // The first process that reads the identity inserts it.
    `create table catalog_identity (
      singleton integer primary key check (singleton = 1),
      id ${uuidText} not null
    )`,
    // Which versions of the service can use the catalog. Every version reads this table, so it stays as it is.
    `create table catalog_schema (
      singleton integer primary key check (singleton = 1),
      -- The number of the last migration of the oldest version that can use the tables.
      least integer not null,
      -- That version.
      version text not null
    )`,
    "insert into catalog_schema (singleton, least, version) values (1, 0, '')",
  ];
}

/** Spaces with their counters and limits. */
function spaces({ newId, text, counted }: Engine): readonly string[] {
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
    ) ${counted}`,
    // The common space. Statements know its id.
    `insert into spaces (id, name) values (0, '')`,
  ];
}

/** Records. Each index serves one filter of the listing and ends in the id, the key of the pages. */
function images({ newId, uuid, bytes, large }: Engine): readonly string[] {
  return [
    `create table images (
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
      blob_uuid ${uuid} not null,
      sha256 ${bytes} not null,
      thumbhash_bytes ${bytes} not null,
      original_name text not null,
      created_by text,
      -- Null: one frame.
      frames integer
    ) ${large}`,
    'create unique index images_uuid_index on images (blob_uuid)',
    'create index images_space_index on images (space, id) where space <> 0',
    'create unique index images_place_index on images (space, place) where space <> 0',
    'create index images_space_media_type_index on images (space, media_type, id)',
    'create index images_space_sha256_index on images (space, substr(sha256, 1, 8), id)',
    'create index images_space_created_index on images (space, created_at, id)',
  ];
}

/** Metadata and the indexes for finding, written together. */
function search(engine: Engine): readonly string[] {
  return [...metadata(engine), ...words(engine), ...tags(engine)];
}

function metadata({ rowId, clustered, large, counted }: Engine): readonly string[] {
  return [
    `create table image_metadata (
      image_id ${rowId} primary key references images (id) on delete cascade,
      -- Of taken_at, else created_at of the image.
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
      words text not null,
      -- What crops keep, as the domain spells it; null: the middle.
      focus text
    ) ${large}`,
    'create index image_metadata_space_taken_index on image_metadata (space, taken_sort, image_id)',
    'create index image_metadata_untagged_index on image_metadata (space, image_id) where tags is null',
    'create index image_metadata_undated_index on image_metadata (space, image_id) where taken_at is null',
    `create table timeline_days (
      space integer not null,
      day integer not null,
      images integer not null,
      primary key (space, day)
    ) ${clustered} ${counted}`,
    // One row: the time zone of the days.
    `create table finding_state (
      singleton integer primary key check (singleton = 1),
      time_zone text not null
    )`,
  ];
}

function words({ id, text, clustered, large, counted }: Engine): readonly string[] {
  return [
    // With the words of cameras a second time behind @, and those of lenses behind #.
    `create table words (
      id ${id},
      space integer not null,
      images integer not null,
      word ${text} not null
    ) ${counted}`,
    'create unique index words_word_index on words (space, word)',
    `create table image_words (
      image_id bigint not null,
      word_id bigint not null,
      primary key (word_id, image_id)
    ) ${clustered} ${large}`,
  ];
}

function tags({ id, text, clustered, large, counted }: Engine): readonly string[] {
  return [
    `create table tags (
      id ${id},
      space integer not null,
      images integer not null,
      fold ${text} not null,
      spelling text not null
    ) ${counted}`,
    'create unique index tags_fold_index on tags (space, fold)',
    'create index tags_count_index on tags (space, images, fold)',
    `create table image_tags (
      image_id bigint not null,
      taken_sort bigint not null,
      tag_id bigint not null,
      primary key (tag_id, image_id)
    ) ${clustered} ${large}`,
    'create index image_tags_tag_taken_index on image_tags (tag_id, taken_sort, image_id)',
  ];
}

const BANDS = [0, 1, 2, 3];

/** Hashes of how images look. An image whose pixels were not read has no row. */
function similar({ rowId, large }: Engine): readonly string[] {
  return [
    `create table image_appearances (
      image_id ${rowId} primary key references images (id) on delete cascade,
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
    ) ${large}`,
    ...BANDS.map(
      (band) => `create index image_appearances_space_band_${band}_index
        on image_appearances (space, dhash_${band}, dhash_without_${band}, image_id) where flat = 0`,
    ),
  ];
}

/** The feed, and where webhooks are in it. */
function changes({ rowId, mark, comparedName, large, counted }: Engine): readonly string[] {
  return [
    `create table changes (
      -- The order of the commits: the lock of changes is held from the assignment to the commit.
      number ${rowId} primary key,
      -- Shows that the catalog was restored since a reader saw this number.
      mark bigint not null default (${mark}),
      image_id bigint not null,
      at bigint not null default 0,
      -- Of the metadata.
      version integer,
      -- 0 start of the feed; all others as in CHANGE_KINDS.
      kind smallint not null,
      name text,
      actor text,
      space integer not null default 0
    ) ${large}`,
    'create index changes_space_index on changes (space, number) where space <> 0',
    `create index changes_name_index on changes (space, ${comparedName}) where name is not null`,
    // There is always a row, so that every position names one.
    'insert into changes (number, kind, image_id) values (0, 0, 0)',
    `create table webhook_endpoints (
      number integer primary key,
      url text not null unique,
      -- The last change that was delivered.
      after_number bigint not null,
      after_mark bigint not null,
      -- ok, retrying or stopped.
      state text not null default 'ok',
      last_error text,
      -- The process that sends, until this time by the clock of the database.
      lease_owner text,
      lease_until bigint not null default 0
    ) ${counted}`,
  ];
}

/** Names that point to images. */
function names({ newId, text, mark }: Engine): readonly string[] {
  return [
    `create table names (
      -- In links, which may outlive the name: it is never given again.
      number ${newId('bigint')},
      -- Null: the name was removed. Its number and version go on if it is set again.
      image_id bigint,
      updated_at bigint not null,
      -- Is in what links sign: after a restore of an older backup the number may be given to another name.
      mark bigint not null default (${mark}),
      space integer not null,
      version integer not null,
      name ${text} not null,
      unique (space, name)
    )`,
    'create index names_image_index on names (image_id) where image_id is not null',
    'create index names_removed_index on names (updated_at) where image_id is null',
    // A listing reads no removed name.
    'create index names_listing_index on names (space, name) where image_id is not null',
    `create table forgotten_names (
      -- The highest of a name that was forgotten: later names begin above it.
      version integer not null
    )`,
    'insert into forgotten_names (version) values (0)',
  ];
}

/** Nothing else of trashed images is in any table, so that no query can forget that they are gone. */
function trash({ uuid }: Engine): readonly string[] {
  return [
    `create table trashed_images (
      image_id bigint primary key,
      size bigint not null,
      trashed_at bigint not null,
      space integer not null,
      -- As that of an image. It stays taken.
      place integer,
      uuid ${uuid} not null unique,
      trashed_by text,
      -- JSON object: the record, its metadata and its hashes.
      snapshot text not null
    )`,
    'create index trashed_images_space_index on trashed_images (space, trashed_at, image_id)',
    'create index trashed_images_trashed_at_index on trashed_images (trashed_at)',
  ];
}

/** The keys of signed links, and the images that links may outlive. */
function links({ bytes, uuidText }: Engine): readonly string[] {
  return [
    `create table link_keys (
      generation integer primary key,
      secret ${bytes} not null,
      created_at bigint not null
    )`,
    // The MAC of a link covers the UUID: without it, a link to a deleted image could not be told from a forged one.
    `create table deleted_images (
      id bigint primary key,
      uuid ${uuidText} not null,
      deleted_at bigint not null
    )`,
    'create index deleted_images_deleted_at_index on deleted_images (deleted_at)',
  ];
}

/** Idempotency keys of uploads: claimed (`image_id` is null) or completed. */
function uploads({ counted }: Engine): readonly string[] {
  return [
    `create table idempotency_keys (
      claimed_at bigint not null,
      -- No foreign key: the key outlives its image, so that a retry returns 404.
      image_id bigint,
      space integer not null,
      -- By the clock of the database.
      lease_until bigint not null default 0,
      -- The process that holds the key (see ProcessRegistry), a space and the token of its claim.
      lease_owner varchar(128),
      sha256 varchar(64) not null,
      scope varchar(1024) not null,
      key varchar(255) not null,
      primary key (space, scope, key)
    ) ${counted}`,
    'create index idempotency_keys_time_index on idempotency_keys (claimed_at)',
  ];
}

const SLICES = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'));

/** Which process sweeps which part of the blob store, and what it has found there. */
function sweep({ uuidText, counted }: Engine): readonly string[] {
  return [
    `create table sweep_slices (
      -- Two digits, with which the keys of blobs begin.
      prefix text primary key,
      -- The next two digits of the keys that are swept next; empty: all of the slice at once.
      page text not null default '',
      -- By the clock of the database, as the other times of this table.
      swept_at bigint not null default 0,
      taken_at bigint not null default 0,
      lease_owner text,
      lease_until bigint not null default 0
    ) ${counted}`,
    `insert into sweep_slices (prefix) values ${SLICES.map((prefix) => `('${prefix}')`).join(', ')}`,
    // Blobs that have had no record.
    `create table watched_blobs (
      uuid ${uuidText} primary key,
      since bigint not null
    )`,
    // Blobs that the sweeper has removed, or is about to. An upload that was slower gets no record.
    `create table swept_blobs (
      -- Rows stay: no time is long enough for a process that was suspended. UUIDs never come back.
      uuid ${uuidText} primary key
    )`,
  ];
}

const SQLITE: Engine = {
  newId: () => 'integer primary key autoincrement',
  id: 'integer primary key',
  rowId: 'integer',
  uuid: 'blob',
  uuidText: 'char(36)',
  bytes: 'blob',
  text: 'text',
  comparedName: 'name',
  mark: 'random() & 281474976710655',
  clustered: 'without rowid',
  large: '',
  counted: '',
  estimates: [],
};

const POSTGRES: Engine = {
  newId: (type) => `${type} primary key generated by default as identity`,
  id: 'bigint primary key generated always as identity',
  rowId: 'bigint',
  uuid: 'uuid',
  uuidText: 'uuid',
  bytes: 'bytea',
  text: 'text collate "C"',
  comparedName: 'name collate "C"',
  mark: 'floor(random() * 281474976710656)',
  clustered: '',
  // A fifth of a thousand million rows, the default, would be vacuumed once in months, and then for days.
  large: `with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02)`,
  // A page with free space takes the new version of its own row.
  counted: 'with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)',
  // Their statements bind a space. Most of many spaces are small, and the planner would read all of a large one: it takes every space for
  // one of four.
  estimates: ['images', 'image_metadata', 'image_appearances', 'words', 'tags'].map(
    (table) => `alter table ${table} alter column space set (n_distinct = 4)`,
  ),
};
