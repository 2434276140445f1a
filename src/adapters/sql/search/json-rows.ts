import { type RowReader, type SqlFragment, sql } from '../database/sql-fragment.ts';

/**
 * Rows as arrays: a driver takes longer for a row of each.
 *
 * @param columns see `SqlDialect.jsonOf`
 * @param from a table with its conditions
 */
export async function jsonRows<Row>(
  reader: RowReader,
  columns: SqlFragment,
  from: SqlFragment,
): Promise<readonly Row[]> {
  const statement = sql`select ${columns} as json from ${from}`;
  const [row] = await reader.rows<{ readonly json: string | null }>(statement);
  return JSON.parse(row?.json ?? '[]') as readonly Row[];
}
