import type { Knex } from 'knex';
import { RecordConflict } from '../../../domain/errors.ts';
import type { Appearance } from '../../../domain/image/appearance.ts';
import type { Image } from '../../../domain/image/image.ts';
import type { ImportedImage } from '../../../domain/ports/image-repository.ts';
import { inBatches } from '../database/in-batches.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import type { FindingIndex, MetadataChange } from '../search/finding-index.ts';
import { findMetadataRows, initialMetadata } from '../search/metadata-row.ts';
import { writeAppearances } from '../similar/appearance-row.ts';
import { columnsOf, IMAGE_COLUMNS, type ImageColumns } from './image-row.ts';

/** @throws {RecordConflict} */
export async function restoreImages(
  images: readonly ImportedImage[],
  { index, dialect }: { readonly index: FindingIndex; readonly dialect: SqlDialect },
  transaction: Knex.Transaction,
): Promise<void> {
  await inBatches(images, IMAGE_COLUMNS.length, async (some) => {
    await restoreSome(some, transaction);
    await restoreMetadata(some, index, transaction);
    await writeAppearances(appearancesOf(some), dialect, transaction);
  });
}

function appearancesOf(images: readonly ImportedImage[]): ReadonlyMap<number, Appearance> {
  return new Map(
    images.flatMap(({ id, appearance }) => (appearance === undefined ? [] : [[id, appearance] as const])),
  );
}

/** Skips conflicting images and compares them afterwards: an image that is recorded already conflicts with itself. */
async function restoreSome(images: readonly Image[], transaction: Knex.Transaction): Promise<void> {
  const given = images.map((image) => ({
    ...columnsOf(image),
    id: image.id,
    created_at: image.createdAt.getTime(),
  }));
  const inserted: ReadonlyArray<Pick<ImageColumns, 'id'>> = await transaction('images')
    .insert(given)
    .onConflict()
    .ignore()
    .returning('id');
  const insertedIds = new Set(inserted.map(({ id }) => id));
  await requireRecorded(
    images.filter(({ id }) => !insertedIds.has(id)),
    transaction,
  );
}

async function requireRecorded(images: readonly Image[], transaction: Knex.Transaction): Promise<void> {
  if (images.length === 0) return;
  const ids = images.map(({ id }) => id);
  const found = await transaction<Pick<ImageColumns, 'id' | 'uuid'>>('images')
    .select('id', 'uuid')
    .whereIn('id', ids);
  const uuids = new Map(found.map(({ id, uuid }) => [id, uuid]));
  const conflicts = images.filter(({ id, uuid }) => uuids.get(id) !== uuid);
  if (conflicts.length > 0) throw new RecordConflict(conflicts.map(({ id }) => id));
}

async function restoreMetadata(
  images: readonly ImportedImage[],
  index: FindingIndex,
  transaction: Knex.Transaction,
): Promise<void> {
  const rows = await findMetadataRows(
    images.map(({ id }) => id),
    transaction,
  );
  const changes = images.flatMap((record): readonly MetadataChange[] => {
    const before = rows.get(record.id);
    if (record.metadata === undefined && before !== undefined) return [];
    return [{ before, after: { record, metadata: record.metadata ?? initialMetadata() } }];
  });
  await index.write(transaction, changes);
}
