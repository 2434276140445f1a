import type { Knex } from 'knex';
import type { Image } from '../../../domain/image/image.ts';
import { inBatches } from '../database/in-batches.ts';

/** UUIDs that no image is recorded under any more. */
export const SWEPT_BLOBS = 'swept_blobs';

/** The caller holds the lock of the UUID, and there is no record. */
export async function markSwept(uuid: string, transaction: Knex.Transaction): Promise<void> {
  await transaction(SWEPT_BLOBS).insert({ uuid }).onConflict('uuid').ignore();
}

export async function isSwept(uuid: string, transaction: Knex.Transaction): Promise<boolean> {
  return (await transaction(SWEPT_BLOBS).where({ uuid }).first('uuid')) !== undefined;
}

/** Resolves to how many of them were marked. */
export async function forgetSwept(images: readonly Image[], transaction: Knex.Transaction): Promise<number> {
  let forgotten = 0;
  await inBatches(images, 1, async (some) => {
    const uuids = some.map(({ uuid }) => uuid);
    forgotten += await transaction(SWEPT_BLOBS).delete().whereIn('uuid', uuids);
  });
  return forgotten;
}
