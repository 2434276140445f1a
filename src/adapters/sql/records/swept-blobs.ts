import type { Knex } from 'knex';
import { StorageUnavailable } from '../../../domain/errors.ts';
import type { Image } from '../../../domain/image/image.ts';
import type { CatalogDatabase } from '../database/catalog-database.ts';
import { inBatches } from '../database/in-batches.ts';
import { RowModel } from '../database/row-model.ts';

/** UUIDs under which no image is recorded any more. */
export const SWEPT_BLOBS = 'swept_blobs';

class SweptBlobRow extends RowModel {
  static override readonly tableName = SWEPT_BLOBS;
  static override readonly idColumn = 'uuid';

  declare uuid: string;
}

/** The caller holds the lock of the UUID, and there is no record. */
export async function markSwept(uuid: string, transaction: Knex.Transaction): Promise<void> {
  await SweptBlobRow.query(transaction).insert({ uuid }).onConflict('uuid').ignore();
}

export async function isSwept(uuid: string, transaction: Knex.Transaction): Promise<boolean> {
  return (await SweptBlobRow.query(transaction).findById(uuid)) !== undefined;
}

/** Resolves to how many of them were marked. */
async function forgetSwept(images: readonly Image[], transaction: Knex.Transaction): Promise<number> {
  const uuids = images.map(({ uuid }) => uuid);
  const forgotten = await inBatches(uuids, 1, (some) =>
    SweptBlobRow.query(transaction).delete().whereIn('uuid', some),
  );
  return forgotten.reduce((sum, count) => sum + count, 0);
}

/**
 * Records images of another catalog, and makes later ids higher. Blobs that were swept must be copied again first.
 *
 * @throws {StorageUnavailable} once for swept blobs
 */
export async function restoreUnswept(
  images: readonly Image[],
  database: CatalogDatabase,
  restore: (transaction: Knex.Transaction) => Promise<void>,
): Promise<void> {
  if (images.length === 0) return;
  const { dialect } = database;
  const swept = await database.transaction(async (transaction) => {
    await dialect.lockRestores(transaction);
    const forgotten = await forgetSwept(images, transaction);
    if (forgotten > 0) return forgotten;
    await restore(transaction);
    await dialect.raiseIds(transaction, 'images', Math.max(...images.map(({ id }) => id)));
    return 0;
  });
  // The transaction has ended, so that the next attempt succeeds.
  if (swept > 0) throw new StorageUnavailable({ cause: new Error(`${swept} blobs were swept`) });
}
