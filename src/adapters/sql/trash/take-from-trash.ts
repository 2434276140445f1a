import type { Knex } from 'knex';
import { rowsOf, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { changeCounters, Differences } from '../rows/space-row.ts';
import type { OwnedTrashedColumns } from './trashed-columns.ts';

/**
 * Removes the rows, and what the counters of their spaces have of them. The caller holds the lock of `SqlDialect.lockChanges`. In the
 * order of the ids.
 */
export async function takeFromTrash(
  condition: SqlFragment,
  transaction: Knex.Transaction,
): Promise<readonly OwnedTrashedColumns[]> {
  const rows = await rowsOf<OwnedTrashedColumns>(
    transaction,
    sql`delete from trashed_images where ${condition}
      returning *, (select name from spaces where spaces.id = trashed_images.space) as space_name`,
  );
  const differences = new Differences();
  for (const { space_name, size } of rows) differences.addTrashed(space_name, { images: -1, bytes: -size });
  await changeCounters(differences, transaction);
  return rows.toSorted((a, b) => a.image_id - b.image_id);
}
