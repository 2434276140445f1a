import type { Knex } from 'knex';
import type { OwnedName } from '../../../domain/ports/records/names.ts';
import type { Space } from '../../../domain/space/space.ts';
import { inBatches } from '../database/in-batches.ts';
import { COMMON_SPACE_ID } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { spaceIdsOf } from '../records/space-row.ts';
import { NAMES_TABLE, type NameRow } from './name-row.ts';

const COLUMNS = 7;

interface RestoredPage {
  readonly names: readonly OwnedName[];
  /** All names behind this number are replaced, up to the last of the page; to the end by an empty page. */
  readonly after: number;
}

/** The caller holds the lock of changes. */
export async function restoreNames(
  { names, after }: RestoredPage,
  dialect: SqlDialect,
  transaction: Knex.Transaction,
): Promise<void> {
  const last = names.at(-1)?.number;
  const inPage = transaction(NAMES_TABLE)
    .where('number', '>', after)
    .where('number', '<=', last ?? Number.MAX_SAFE_INTEGER);
  await inPage.clone().delete();
  const ids = await spaceIdsOf(names, transaction);
  const rows = names.map((name) => rowOf(name, ids));
  await inBatches(rows, COLUMNS, async (some) => {
    // Those that had another number here.
    const twins = some.map(({ space, name }) => [space, name]);
    await transaction(NAMES_TABLE).delete().whereIn(['space', 'name'], twins);
    await transaction(NAMES_TABLE).insert([...some]);
  });
  await inPage
    .update({ image_id: null })
    .whereRaw(
      'not exists (select 1 from images where images.id = names.image_id and images.space = names.space)',
    );
  await dialect.raiseIds(transaction, NAMES_TABLE, last ?? 0);
}

function rowOf(
  { number, imageId, updatedAt, mark, space, version, name }: OwnedName,
  ids: ReadonlyMap<Space, number>,
): NameRow {
  return {
    number,
    image_id: imageId ?? null,
    updated_at: updatedAt.getTime(),
    mark,
    space: ids.get(space) ?? COMMON_SPACE_ID,
    version,
    name,
  };
}
