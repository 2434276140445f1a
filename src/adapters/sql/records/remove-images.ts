import type { Knex } from 'knex';
import type { BlobKey } from '../../../domain/image/blob-key.ts';
import { findMetadataRows } from '../search/metadata-row.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { rememberDeleted } from './deleted-images.ts';

/** With all that was derived from them. The caller holds the lock of `SqlDialect.lockChanges`. Resolves to those that were there. */
export async function removeImages(
  ids: readonly number[],
  now: Date,
  index: SearchIndex,
  transaction: Knex.Transaction,
): Promise<ReadonlySet<number>> {
  const rows = await findMetadataRows(ids, transaction);
  await index.write(
    transaction,
    [...rows.values()].map((before) => ({ before })),
  );
  const found: ReadonlyArray<{ readonly id: number; readonly uuid: BlobKey }> = await transaction('images')
    .select('id', 'uuid')
    .whereIn('id', [...ids]);
  await transaction('images')
    .delete()
    .whereIn('id', [...ids]);
  await rememberDeleted(found, now, transaction);
  return new Set(found.map(({ id }) => id));
}
