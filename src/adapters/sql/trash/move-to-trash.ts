import type { Knex } from 'knex';
import type { ImageHashes } from '../../../domain/image/image-hashes.ts';
import type { TrashedRecord } from '../../../domain/ports/records/trash.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { inBatches } from '../database/in-batches.ts';
import { listOf, rowsOf, sql } from '../database/sql-fragment.ts';
import { findHashRows } from '../rows/hash-row.ts';
import { type OwnedColumns, ownedImageFromRow, selectOwnedImages } from '../rows/image-columns.ts';
import { type MetadataRow, metadataFromRow } from '../rows/metadata-row.ts';
import { TRASH_TABLE, type TrashedColumns, trashedColumnsOf } from './trashed-columns.ts';

interface FoundRow extends OwnedColumns, Pick<TrashedColumns, 'space' | 'place'> {
  /** Time of the newest image of the catalog. */
  readonly newest: number;
}

interface Found {
  /** By id, as the rows to come. */
  readonly by: ReadonlyMap<number, string | undefined>;
  readonly described: ReadonlyMap<number, MetadataRow>;
  readonly hashes: ReadonlyMap<number, ImageHashes>;
  readonly now: Date;
}

const COLUMNS = 8;

const OTHERS = sql`images.space, images.place, (select created_at from images order by id desc limit 1) as newest,`;

/**
 * Writes the rows of the trash. The caller removes the images afterwards, and holds the lock of `SqlDialect.lockChanges`.
 *
 * @param by who has deleted them, by id
 */
export async function moveToTrash(
  by: Found['by'],
  described: Found['described'],
  now: Date,
  transaction: Knex.Transaction,
): Promise<void> {
  const dialect = dialectOf(transaction);
  const ids = [...by.keys()];
  const hashes = await findHashRows(ids, transaction);
  const images = sql`${selectOwnedImages(dialect, OTHERS)} where images.id in (${listOf(ids)})`;
  const rows = await rowsOf<FoundRow>(transaction, images);
  const trashed = rows.map((row) => ({
    ...trashedColumnsOf(trashedRecordOf(row, { by, described, hashes, now }), dialect),
    space: row.space,
    place: row.place,
  }));
  await inBatches(trashed, COLUMNS, async (some) => {
    await transaction<TrashedColumns>(TRASH_TABLE).insert([...some]);
  });
}

function trashedRecordOf(row: FoundRow, { by, described, hashes, now }: Found): TrashedRecord {
  const {
    title: _title,
    tags: _tags,
    takenAt: _takenAt,
    metadataVersion: _version,
    focus: _focus,
    ...image
  } = ownedImageFromRow(row);
  const metadata = described.get(row.id);
  return {
    ...image,
    metadata: metadata && metadataFromRow(metadata),
    hashes: hashes.get(row.id),
    // Not before the newest image: a clock that was set back would have it erased at once when it is right again.
    trashedAt: new Date(Math.max(now.getTime(), row.newest)),
    trashedBy: by.get(row.id) ?? null,
  };
}
