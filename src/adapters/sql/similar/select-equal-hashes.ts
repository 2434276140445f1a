import { hasSpace } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import type { Compared } from './compared.ts';

/** @param limit of the others, the oldest ones */
export function selectEqualHashes(
  dialect: SqlDialect,
  { space, ids, beside }: Compared,
  limit: number,
): SqlFragment {
  return sql`select look.image_id as id,
    (select string_agg(cast(same.id as text), ',') from (select other.image_id as id from image_appearances as other
      where other.flat = 0 and other.space = look.space and other.dhash_0 = look.dhash_0
        and other.dhash_without_0 = look.dhash_without_0 and other.image_id ${raw(beside)} look.image_id
      order by other.image_id limit ${limit}) as same) as equals
    from image_appearances as look
    where look.flat = 0 and ${dialect.isAmong('look.image_id', ids)} and ${hasSpace(space, '+look.space')}`;
}
