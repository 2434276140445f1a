import type { Knex } from 'knex';
import { RecordConflict } from '../../../domain/errors.ts';
import type { Image } from '../../../domain/image/image.ts';
import type { ImageHashes } from '../../../domain/image/image-hashes.ts';
import type { ImportedImage } from '../../../domain/ports/records/image-repository.ts';
import { inBatches } from '../database/in-batches.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { findMetadataRows, initialMetadata } from '../search/metadata-row.ts';
import type { MetadataChange, SearchIndex } from '../search/search-index.ts';
import { writeHashes } from '../similar/hash-row.ts';
import { columnsOf, IMAGE_COLUMNS, type ImageColumns } from './image-row.ts';

/** @throws {RecordConflict} */
export async function restoreImages(
  images: readonly ImportedImage[],
  { index, dialect }: { readonly index: SearchIndex; readonly dialect: SqlDialect },
  transaction: Knex.Transaction,
): Promise<void> {
  await inBatches(images, IMAGE_COLUMNS.length, async (some) => {
    await restoreSome(some, transaction);
    await restoreMetadata(some, index, transaction);
    await writeHashes(hashesOfAll(some), dialect, transaction);
  });
}

function hashesOfAll(images: readonly ImportedImage[]): ReadonlyMap<number, ImageHashes> {
  return new Map(images.flatMap(({ id, hashes }) => (hashes === undefined ? [] : [[id, hashes] as const])));
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
  index: SearchIndex,
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
