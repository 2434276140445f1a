import type { SqlDialect } from './sql-dialect.ts';
import { raw, type SqlFragment, sql } from './sql-fragment.ts';

/** Whether a column has one of these ids. All of them are one variable. */
export function isAmong(
  column: string,
  ids: readonly number[],
  { jsonRows }: Pick<SqlDialect, 'jsonRows'>,
): SqlFragment {
  const rows = jsonRows(ids.map((id) => [id]));
  return sql`${raw(column)} in (select cast(value ->> 0 as bigint) from ${rows})`;
}
