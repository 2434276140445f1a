import type { Knex } from 'knex';
import type { CopiedRow, CopiedTable, CopiedTables } from '../../../domain/ports/records/copied-tables.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inBatches } from '../database/in-batches.ts';
import { listOf, raw, sql } from '../database/sql-fragment.ts';
import { spaceIdsOf } from '../rows/space-row.ts';

interface CopiedColumns {
  /** In whose order the rows are read. */
  readonly key: readonly string[];
  readonly others: readonly string[];
  /** Of rows with one name; by default the key. */
  readonly unique?: readonly string[];
  /** A condition of the rows that are copied. */
  readonly only?: string;
}

const HAS_LIMIT = '(max_images is not null or max_bytes is not null)';

const TABLES: Readonly<Record<CopiedTable, CopiedColumns>> = {
  spaces: { key: ['name'], others: ['max_images', 'max_bytes'], only: HAS_LIMIT },
  idempotency_keys: {
    key: ['space', 'scope', 'key'],
    others: ['sha256', 'image_id', 'claimed_at'],
    only: 'image_id is not null',
  },
  names: {
    key: ['number'],
    others: ['image_id', 'updated_at', 'mark', 'space', 'version', 'name', 'is_public'],
    unique: ['space', 'name'],
  },
  forgotten_names: { key: ['version'], others: [] },
  link_keys: { key: ['generation'], others: ['secret', 'created_at'] },
  changes: {
    key: ['number'],
    others: ['mark', 'image_id', 'at', 'version', 'kind', 'name', 'actor', 'space', 'is_public'],
  },
  change_actors: { key: ['first_number'], others: ['last_number', 'actor'] },
  webhook_endpoints: {
    key: ['number'],
    others: ['url', 'after_number', 'after_mark', 'state', 'last_error'],
  },
};

/** Ids of spaces differ between catalogs: each row has the name of its space as well. */
const SPACE_NAME = 'space_name';

export class SqlCopiedTables implements CopiedTables {
  constructor(private readonly database: CatalogDatabase) {}

  async readRows(
    table: CopiedTable,
    after: CopiedRow | undefined,
    limit: number,
  ): Promise<readonly CopiedRow[]> {
    const { key, only = '1 = 1' } = TABLES[table];
    const columns = raw(key.join(', '));
    const last = listOf(key.map((column) => after?.[column] as Knex.Value));
    const where = after === undefined ? raw(only) : sql`${raw(only)} and (${columns}) > (${last})`;
    const spaceName = `(select name from spaces where spaces.id = ${table}.space) as ${SPACE_NAME}`;
    const selected = hasSpace(table) ? [...columnsOf(table), spaceName] : columnsOf(table);
    return await this.database.rows<CopiedRow>(
      sql`select ${raw(selected.join(', '))} from ${raw(table)} where ${where} order by ${columns} limit ${limit}`,
    );
  }

  async writeRows(table: CopiedTable, rows: readonly CopiedRow[], isFirst: boolean): Promise<void> {
    await this.database.change(async (transaction) => {
      if (isFirst) await clear(table, transaction);
      const written = hasSpace(table) ? await inSpacesHere(rows, transaction) : rows;
      const { key, unique = key } = TABLES[table];
      await inBatches(written, columnsOf(table).length, async (some) => {
        const inserted = transaction(table).insert([...some]);
        await (unique.length === columnsOf(table).length ? inserted : inserted.onConflict(unique).merge());
      });
      if (table === 'names') await endDangling(rows, transaction);
      if (table === 'changes') await endBeforeStart(rows, transaction);
      if (table === 'change_actors') await removeActorsBeyondFeed(transaction);
    });
  }
}

function columnsOf(table: CopiedTable): readonly string[] {
  return [...TABLES[table].key, ...TABLES[table].others];
}

function hasSpace(table: CopiedTable): boolean {
  return columnsOf(table).includes('space');
}

async function clear(table: CopiedTable, transaction: Knex.Transaction): Promise<void> {
  // Spaces have images: they only lose their limits.
  if (table === 'spaces') await transaction(table).update({ max_images: null, max_bytes: null });
  else await transaction(table).delete();
}

async function inSpacesHere(
  rows: readonly CopiedRow[],
  transaction: Knex.Transaction,
): Promise<readonly CopiedRow[]> {
  const owned = rows.map((row) => ({ row, space: row[SPACE_NAME] as Space }));
  const ids = await spaceIdsOf(owned, transaction);
  return owned.map(({ row: { [SPACE_NAME]: _name, ...columns }, space }) => {
    return { ...columns, space: ids.get(space) };
  });
}

/** Names whose images are not in their spaces are gone. */
async function endDangling(rows: readonly CopiedRow[], transaction: Knex.Transaction): Promise<void> {
  const [first, last] = [rows.at(0), rows.at(-1)].map((row) => Number(row?.['number'] ?? 0));
  await transaction('names')
    .update({ image_id: null })
    .whereBetween('number', [first as number, last as number])
    .whereRaw(
      'not exists (select 1 from images where images.id = names.image_id and images.space = names.space)',
    );
}

/** The sweeper of the source may have removed changes since the page before: a reader must not pass them by. */
async function endBeforeStart(rows: readonly CopiedRow[], transaction: Knex.Transaction): Promise<void> {
  const start = rows.findLast(({ kind }) => kind === 0);
  if (start === undefined) return;
  await transaction('changes').delete().where('number', '<', Number(start['number']));
}

/** The source may have written more changes after its feed was copied. Here, other changes will get their numbers. */
async function removeActorsBeyondFeed(transaction: Knex.Transaction): Promise<void> {
  await transaction('change_actors').delete().whereRaw('last_number > (select max(number) from changes)');
}
