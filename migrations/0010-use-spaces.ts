import type { Knex } from 'knex';
import { NEXT_TABLES } from './0009-create-spaces.ts';

/**
 * Contracts the schema: the tables of `0009-create-spaces`, which are filled by now, take the place of the old ones. A process of an
 * earlier version can no longer read or write images. The caller holds the lock of changes.
 */
export async function up(knex: Knex): Promise<void> {
  const engine = engineOf(knex);
  for (const statement of [...engine.before, COPY_KEYS]) await knex.raw(statement);
  for (const table of NEXT_TABLES.toReversed()) await knex.schema.dropTableIfExists(table);
  for (const table of NEXT_TABLES) await knex.raw(`alter table next_${table} rename to ${table}`);
  const after = ['drop table changed_images', 'alter table finding_state drop column filled_up_to'];
  for (const statement of [...after, ...engine.after]) await knex.raw(statement);
}

export async function down(): Promise<void> {
  throw new Error('The tables of earlier versions are gone: restore a backup');
}

const KEY_COLUMNS = 'scope, key, sha256, token, holder, image_id, claimed_at';

const COPY_KEYS = `insert into next_idempotency_keys (space, ${KEY_COLUMNS}) select 0, ${KEY_COLUMNS} from idempotency_keys`;

interface Engine {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function next(kind: number, columns: string, values: string): string {
  return `insert into changes (number, kind, ${columns}) select max(number) + 1, ${kind}, ${values} from changes`;
}

const CREATED = next(1, 'image_id, space', 'new.id, new.space');
const UPDATED = next(2, 'image_id, space, version', 'new.image_id, new.space, new.version');
const DELETED = next(3, 'image_id, space', 'old.id, old.space');

const SQLITE: Engine = {
  before: [
    // Ids are never reused, not even those of images that were deleted before the tables were filled.
    `delete from sqlite_sequence where name = 'next_images'`,
    `insert into sqlite_sequence (name, seq) select 'next_images', seq from sqlite_sequence where name = 'images'`,
  ],
  after: [
    `create trigger changes_created after insert on images begin ${CREATED}; end`,
    `create trigger changes_deleted after delete on images begin ${DELETED}; end`,
    `create trigger changes_described after insert on image_metadata when new.version > 1 begin ${UPDATED}; end`,
    `create trigger changes_updated after update of version on image_metadata when new.version <> old.version
      begin ${UPDATED}; end`,
  ],
};

/** The lock of changes, as `POSTGRES_DIALECT` takes it. */
const LOCK = 'pg_advisory_xact_lock(1229152628, 2)';

const POSTGRES: Engine = {
  before: [
    `lock table ${NEXT_TABLES.filter((table) => table !== 'words').join(', ')} in access exclusive mode`,
    `select setval('next_images_id_seq', last_value, is_called) from images_id_seq`,
    'drop function note_changed_image() cascade',
  ],
  after: [
    ...NEXT_TABLES.map((table) => `alter index next_${table}_pkey rename to ${table}_pkey`),
    ...['images', 'tags', 'words'].map(
      (table) => `alter sequence next_${table}_id_seq rename to ${table}_id_seq`,
    ),
    // A session keeps the plans of its first changes, for a table of one row.
    `create or replace function record_change() returns trigger language plpgsql set enable_seqscan = off as $$
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
};

function engineOf(knex: Knex): Engine {
  const { client } = knex as { readonly client: { readonly driverName: string } };
  return client.driverName === 'pg' ? POSTGRES : SQLITE;
}
