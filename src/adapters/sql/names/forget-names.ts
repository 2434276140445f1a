import type { Knex } from 'knex';
import type { SqlFragment } from '../database/sql-fragment.ts';
import { NAMES_TABLE } from './name-row.ts';

/** One row, with the highest version of a name that was forgotten. */
const FORGOTTEN_TABLE = 'forgotten_names';

/**
 * Names that point to no image. Later names begin above their versions. The caller holds the lock of changes. Resolves to how many they
 * were.
 */
export async function forgetNames(
  { sql: condition, bindings }: SqlFragment,
  transaction: Knex,
): Promise<number> {
  const highest = `(select max(version) from names where ${condition})`;
  await transaction(FORGOTTEN_TABLE)
    .update({ version: transaction.raw(highest, [...bindings]) })
    .whereRaw(`version < ${highest}`, [...bindings]);
  return await transaction(NAMES_TABLE)
    .whereRaw(condition, [...bindings])
    .delete();
}
