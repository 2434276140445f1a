import type { Knex } from 'knex';
import type { CatalogImage } from '../../../domain/image/image.ts';
import { recordChanges } from '../changes/record-changes.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { rowsOf, sql } from '../database/sql-fragment.ts';
import type { SearchIndex } from '../metadata/search-index.ts';
import { restoreImages } from '../records/restore-images.ts';
import { catalogImageFromRow, type OwnedColumns, selectOwnedImages } from '../rows/image-columns.ts';
import { findMetadataRows, type MetadataRow, metadataFromRow } from '../rows/metadata-row.ts';
import { type OwnedTrashedColumns, trashedRecordFromRow } from './trashed-columns.ts';

interface Restoring {
  readonly index: SearchIndex;
  readonly now: Date;
  /** For the feed of changes. */
  readonly by: string | undefined;
}

interface Restored {
  readonly image: CatalogImage;
  /** The number of changes in the feed. */
  readonly changes: number;
}

type Trashed = ReturnType<typeof trashedRecordFromRow>;

/** The row is out of the trash already. The caller holds the lock of `SqlDialect.lockChanges`. */
export async function restoreTrashedImage(
  row: OwnedTrashedColumns,
  restoring: Restoring,
  transaction: Knex.Transaction,
): Promise<Restored> {
  const image = trashedRecordFromRow(row);
  const { now, by } = restoring;
  await restoreImages([{ ...image, place: row.place }], restoring.index, transaction);
  const change = { type: 'image.restored', imageId: image.id, spaceId: row.space, by } as const;
  await recordChanges([change], now, transaction);
  const isSpelled = await noteSpelling(image, restoring, transaction);
  const [restored] = await rowsOf<OwnedColumns>(
    transaction,
    sql`${selectOwnedImages(dialectOf(transaction))} where images.id = ${image.id}`,
  );
  return { image: catalogImageFromRow(restored as OwnedColumns), changes: isSpelled ? 2 : 1 };
}

/** Tags have got the spelling now in use: if it is another one, that is a change of the metadata. Resolves to whether it is. */
async function noteSpelling(
  { metadata, ...record }: Trashed,
  { index, now, by }: Restoring,
  transaction: Knex.Transaction,
): Promise<boolean> {
  const before = (await findMetadataRows([record.id], transaction)).get(record.id) as MetadataRow;
  const spelled = metadataFromRow(before);
  if (JSON.stringify(spelled.tags) === JSON.stringify(metadata.tags)) return false;
  const changed = { ...spelled, version: spelled.version + 1, updatedAt: now };
  const { space: spaceId } = before;
  await index.write(transaction, [{ before, after: { record: { ...record, spaceId }, metadata: changed } }]);
  const { version } = changed;
  const change = { type: 'image.updated', imageId: record.id, spaceId, version, by } as const;
  await recordChanges([change], now, transaction);
  return true;
}
