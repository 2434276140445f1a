import type { Knex } from 'knex';
import { dialectOf } from '../database/dialect-of.ts';
import { findHashRows } from '../rows/hash-row.ts';
import { type OwnedColumns, ownedImageFromRow } from '../rows/image-columns.ts';
import { type MetadataRow, metadataFromRow } from '../rows/metadata-row.ts';
import { TRASH_TABLE, type TrashedColumns, trashedColumnsOf } from './trashed-columns.ts';

/** An image that goes to the trash. */
interface LeavingRow extends OwnedColumns, MetadataRow, Pick<TrashedColumns, 'place'> {
  /** Time of the newest image of the catalog. */
  readonly newest: number;
  readonly removal: { readonly by: string | undefined };
}

/** Writes the rows of the trash. The caller removes the images afterwards, and holds the lock of `SqlDialect.lockChanges`. */
export async function moveToTrash(
  rows: readonly LeavingRow[],
  now: Date,
  transaction: Knex.Transaction,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  const hashes = await findHashRows(ids, transaction);
  const trashed = rows.map((row) => {
    const {
      title: _title,
      tags: _tags,
      takenAt: _takenAt,
      focus: _focus,
      metadataVersion: _version,
      ...image
    } = ownedImageFromRow(row);
    const record = {
      ...image,
      metadata: metadataFromRow(row),
      hashes: hashes.get(row.id),
      // Not before the newest image: a clock that was set back would have it erased at once when it is right again.
      trashedAt: new Date(Math.max(now.getTime(), row.newest)),
      trashedBy: row.removal.by ?? null,
    };
    return { ...trashedColumnsOf(record, dialectOf(transaction)), space: row.space, place: row.place };
  });
  await transaction<TrashedColumns>(TRASH_TABLE).insert(trashed);
}
