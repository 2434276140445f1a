import type { Knex } from 'knex';

/**
 * The feed of changes, and where webhooks are in it. Triggers write the feed, so that every writer of images joins it, also a process
 * of an earlier version.
 */
export async function up(knex: Knex): Promise<void> {
  const engine = engineOf(knex);
  const statements = [...engine.before, ...tables(engine), ...engine.triggers];
  for (const statement of statements) await knex.raw(statement);
}

export async function down(knex: Knex): Promise<void> {
  for (const statement of engineOf(knex).withoutTriggers) await knex.raw(statement);
  await knex.schema.dropTable('webhook_endpoints');
  await knex.schema.dropTable('changes');
}

interface Engine {
  /** On SQLite, only `integer` is the row id itself. */
  readonly id: string;
  /** Ms since 1970. */
  readonly now: string;
  /** 48 random bits, exact as a number. */
  readonly mark: string;
  readonly before: readonly string[];
  readonly triggers: readonly string[];
  readonly withoutTriggers: readonly string[];
}

function tables({ id, now, mark }: Engine): readonly string[] {
  return [
    `create table changes (
      -- The order of the commits: the lock of changes is held from the assignment to the commit.
      number ${id} primary key,
      -- Shows that the catalog was restored since a reader saw this number.
      mark bigint not null default (${mark}),
      image_id bigint not null,
      -- By the clock of its process; by that of the database if the process is of an earlier version.
      at bigint not null default (${now}),
      -- Of the metadata.
      version integer,
      -- 0 start of the feed, 1 image.created, 2 image.updated, 3 image.deleted.
      kind smallint not null,
      name text,
      actor text
    )`,
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
    )`,
  ];
}

function next(kind: number, columns: string, values: string): string {
  return `insert into changes (number, kind, ${columns}) select max(number) + 1, ${kind}, ${values} from changes`;
}

const CREATED = next(1, 'image_id', 'new.id');
const UPDATED = next(2, 'image_id, version', 'new.image_id, new.version');
const DELETED = next(3, 'image_id', 'old.id');

const SQLITE: Engine = {
  id: 'integer',
  now: `cast(round(unixepoch('subsec') * 1000) as integer)`,
  mark: 'random() & 281474976710655',
  before: [],
  triggers: [
    `create trigger changes_created after insert on images begin ${CREATED}; end`,
    `create trigger changes_deleted after delete on images begin ${DELETED}; end`,
    // Of an image that was recorded before there were metadata.
    `create trigger changes_described after insert on image_metadata when new.version > 1 begin ${UPDATED}; end`,
    `create trigger changes_updated after update of version on image_metadata when new.version <> old.version
      begin ${UPDATED}; end`,
  ],
  withoutTriggers: ['created', 'deleted', 'described', 'updated'].map(
    (name) => `drop trigger changes_${name}`,
  ),
};

/** The lock of changes, as `POSTGRES_DIALECT` takes it. */
const LOCK = 'pg_advisory_xact_lock(1229152628, 2)';

const POSTGRES: Engine = {
  id: 'bigint',
  now: 'extract(epoch from clock_timestamp()) * 1000',
  mark: 'floor(random() * 281474976710656)',
  // Writers have locks on one table and wait for another.
  before: [`select ${LOCK}`],
  triggers: [
    // Each statement of the function sees what was committed before it, also while the lock was waited for.
    `create function record_change() returns trigger language plpgsql as $$
    begin
      perform ${LOCK};
      if tg_table_name = 'image_metadata' then ${UPDATED};
      elsif tg_op = 'INSERT' then ${CREATED};
      else ${DELETED};
      end if;
      return null;
    end $$`,
    'create trigger changes_created after insert on images for each row execute function record_change()',
    'create trigger changes_deleted after delete on images for each row execute function record_change()',
    `create trigger changes_described after insert on image_metadata for each row when (new.version > 1)
      execute function record_change()`,
    `create trigger changes_updated after update of version on image_metadata for each row
      when (new.version <> old.version) execute function record_change()`,
  ],
  withoutTriggers: ['drop function record_change() cascade'],
};

function engineOf(knex: Knex): Engine {
  const { client } = knex as { readonly client: { readonly driverName: string } };
  return client.driverName === 'pg' ? POSTGRES : SQLITE;
}
