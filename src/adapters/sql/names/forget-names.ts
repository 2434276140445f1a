import type { Knex } from 'knex';
import { rowsOf, type SqlFragment, sql } from '../database/sql-fragment.ts';

/**
 * Names that point to no image. Later names begin above their versions. The caller holds the lock of changes. Resolves to how many they
 * were.
 */
export async function forgetNames(which: SqlFragment, transaction: Knex): Promise<number> {
  const highest = sql`(select max(version) from names where ${which})`;
  const raise = sql`update forgotten_names set version = ${highest} where version < ${highest}`;
  await rowsOf(transaction, raise);
  return (await rowsOf(transaction, sql`delete from names where ${which} returning number`)).length;
}
