import { RecordConflict } from '../../domain/errors.ts';
import type { Image } from '../../domain/image/image.ts';
import { columnsOf, IMAGE_COLUMNS, type ImageColumns, type ImageRow } from './image-row.ts';
import { inBatches } from './in-batches.ts';

/** @throws {RecordConflict} */
export async function restoreImages(images: readonly Image[], rows: typeof ImageRow): Promise<void> {
  await inBatches(images, IMAGE_COLUMNS.length, (some) => restoreSome(some, rows));
}

/** Skips conflicting images and compares them afterwards: an image that is recorded already conflicts with itself. */
async function restoreSome(images: readonly Image[], rows: typeof ImageRow): Promise<void> {
  const given = images.map((image) => ({
    ...columnsOf(image),
    id: image.id,
    created_at: image.createdAt.getTime(),
  }));
  const inserted: ReadonlyArray<Pick<ImageColumns, 'id'>> = await rows
    .knexQuery()
    .insert(given)
    .onConflict()
    .ignore()
    .returning('id');
  const insertedIds = new Set(inserted.map(({ id }) => Number(id)));
  await requireRecorded(
    images.filter(({ id }) => !insertedIds.has(id)),
    rows,
  );
}

async function requireRecorded(images: readonly Image[], rows: typeof ImageRow): Promise<void> {
  if (images.length === 0) return;
  const ids = images.map(({ id }) => id);
  const found = await rows.query().select('id', 'uuid').whereIn('id', ids);
  const uuids = new Map(found.map(({ id, uuid }) => [Number(id), uuid]));
  const conflicts = images.filter(({ id, uuid }) => uuids.get(id) !== uuid);
  if (conflicts.length > 0) throw new RecordConflict(conflicts.map(({ id }) => id));
}
