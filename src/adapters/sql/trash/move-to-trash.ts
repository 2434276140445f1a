import type { Knex } from 'knex';
import { type ImageSummary, SUMMARY_FIELDS } from '../../../domain/image/image-metadata.ts';
import type { OwnedImage } from '../../../domain/ports/records/image-repository.ts';
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

/** The trash keeps the metadata as a whole, so the record has none of its fields. */
function withoutSummary(image: OwnedImage): Omit<OwnedImage, keyof ImageSummary> {
  const summary = new Set<string>([...SUMMARY_FIELDS, 'metadataVersion']);
  const facts = Object.entries(image).filter(([name]) => !summary.has(name));
  return Object.fromEntries(facts) as Readonly<Partial<OwnedImage>> as OwnedImage;
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
    const record = {
      ...withoutSummary(ownedImageFromRow(row)),
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
