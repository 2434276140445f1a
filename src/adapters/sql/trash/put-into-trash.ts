import type { Knex } from 'knex';
import { RecordConflict } from '../../../domain/errors.ts';
import type { TrashedRecord } from '../../../domain/ports/records/trash.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { inBatches } from '../database/in-batches.ts';
import { requireNoneIn } from '../records/restore-images.ts';
import { changeCounters, Differences } from '../rows/space-row.ts';
import { takeFromTrash } from './take-from-trash.ts';
import { TRASH_TABLE, trashedColumnsOf } from './trashed-columns.ts';

const COLUMNS = 8;

/**
 * Copies from another catalog. The caller holds the lock of `SqlDialect.lockRestores`.
 *
 * @throws {RecordConflict}
 */
export async function putIntoTrash(
  images: readonly TrashedRecord[],
  transaction: Knex.Transaction,
): Promise<void> {
  await requireNoneIn('images', images, transaction);
  await inBatches(images, COLUMNS, (some) => putSome(some, transaction));
}

async function putSome(images: readonly TrashedRecord[], transaction: Knex.Transaction): Promise<void> {
  const dialect = dialectOf(transaction);
  const ids = images.map(({ id }) => id);
  await takeFromTrash(dialect.isAmong('image_id', ids), transaction);
  const added = new Differences();
  for (const { space, size } of images) added.addTrashed(space, { images: 1, bytes: size });
  const spaces = await changeCounters(added, transaction);
  // One that is restored gets the next place of its space.
  const rows = images.map((image) => ({
    ...trashedColumnsOf(image, dialect),
    space: spaces.get(image.space)?.id,
    place: null,
  }));
  const inserted: readonly unknown[] = await transaction(TRASH_TABLE)
    .insert(rows)
    .onConflict()
    .ignore()
    .returning('image_id');
  // Another image has the UUID.
  if (inserted.length < rows.length) throw new RecordConflict(ids);
}
