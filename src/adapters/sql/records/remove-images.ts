import type { Knex } from 'knex';
import type { BlobKey } from '../../../domain/image/blob-key.ts';
import { LONGEST_LINK_MS } from '../../../domain/link/link-expiry.ts';
import { attributeChanges, type MadeChange } from '../changes/recorded-changes.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { findMetadataRows } from '../search/metadata-row.ts';
import type { SearchIndex } from '../search/search-index.ts';

interface Removal {
  readonly now: Date;
  readonly index: SearchIndex;
  readonly dialect: SqlDialect;
}

/**
 * With all that was derived from them. The caller holds the lock of `SqlDialect.lockChanges`. Resolves to those that were there.
 *
 * @param removed for an id that is there twice, the first counts
 */
export async function removeImages(
  removed: readonly MadeChange[],
  { now, index, dialect }: Removal,
  transaction: Knex.Transaction,
): Promise<ReadonlySet<number>> {
  const ids = removed.map(({ imageId }) => imageId);
  const rows = await findMetadataRows(ids, transaction);
  await index.write(
    transaction,
    [...rows.values()].map((before) => ({ before })),
  );
  const found: ReadonlyArray<{ readonly id: number; readonly uuid: BlobKey }> = await transaction('images')
    .select('id', 'uuid')
    .whereIn('id', [...ids]);
  await transaction('images')
    .delete()
    .whereIn('id', [...ids]);
  const made = found.map(({ id }) => removed[ids.indexOf(id)] ?? { imageId: id, by: undefined });
  await attributeChanges(made, now, dialect, transaction);
  await rememberDeleted(found, now, transaction);
  return new Set(found.map(({ id }) => id));
}

const TABLE = 'deleted_images';
/** More than one deletion adds at a time, so that the table shrinks again. */
const FORGOTTEN_AT_A_TIME = 100;

interface DeletedRow {
  readonly id: number;
  readonly uuid: BlobKey;
  readonly deleted_at: number;
}

/** Remembers them as long as a link to them can be good. */
async function rememberDeleted(
  images: ReadonlyArray<Pick<DeletedRow, 'id' | 'uuid'>>,
  now: Date,
  transaction: Knex.Transaction,
): Promise<void> {
  if (images.length === 0) return;
  const outdated = transaction(TABLE)
    .select('id')
    .where('deleted_at', '<=', oldest(now))
    .orderBy('deleted_at')
    .limit(FORGOTTEN_AT_A_TIME);
  await transaction(TABLE).delete().whereIn('id', outdated);
  const rows = images.map(({ id, uuid }) => ({ id, uuid, deleted_at: now.getTime() }));
  await transaction(TABLE).insert(rows).onConflict('id').merge();
}

export async function findDeletedUuid(id: number, now: Date, connection: Knex): Promise<BlobKey | undefined> {
  const row = await connection<DeletedRow>(TABLE)
    .where({ id })
    .where('deleted_at', '>', oldest(now))
    .first('uuid');
  return row?.uuid;
}

function oldest(now: Date): number {
  return now.getTime() - LONGEST_LINK_MS;
}
