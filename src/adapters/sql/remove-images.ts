import type { Knex } from 'knex';
import type { FindingIndex } from './finding-index.ts';
import { findMetadataRows } from './metadata-row.ts';

/** With all that was derived from them. The caller holds the lock of `SqlDialect.lockChanges`. Resolves to those that were there. */
export async function removeImages(
  ids: readonly number[],
  index: FindingIndex,
  transaction: Knex.Transaction,
): Promise<ReadonlySet<number>> {
  const rows = await findMetadataRows(ids, transaction);
  await index.write(
    transaction,
    [...rows.values()].map((before) => ({ before })),
  );
  const found: ReadonlyArray<{ readonly id: number | string }> = await transaction('images')
    .select('id')
    .whereIn('id', [...ids]);
  await transaction('images')
    .delete()
    .whereIn('id', [...ids]);
  return new Set(found.map(({ id }) => Number(id)));
}
