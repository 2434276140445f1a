import { hasSpace } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import type { Compared } from './compared.ts';

/** @param limit of the others, the oldest ones */
export function selectEqualBytes(
  dialect: SqlDialect,
  { space, ids, beside }: Compared,
  limit: number,
): SqlFragment {
  return sql`select images.id, (select string_agg(cast(same.id as text), ',') from (select other.id from images as other
      where other.space = images.space and substr(other.sha256, 1, 8) = substr(images.sha256, 1, 8)
        and other.sha256 = images.sha256 and other.id ${raw(beside)} images.id
      order by other.id limit ${limit}) as same) as equals
    from images where ${dialect.isAmong('images.id', ids)} and ${hasSpace(space, '+images.space')}`;
}
