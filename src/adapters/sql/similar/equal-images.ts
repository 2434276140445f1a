import { hasSpace } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { type RowReader, raw, sql } from '../database/sql-fragment.ts';
import type { Compared } from './compared.ts';

/** By an index of the first bytes, which tell digests apart. */
const SAME_BYTES = 'substr(other.sha256, 1, 8) = substr(own.sha256, 1, 8) and other.sha256 = own.sha256';
const SAME_HASH = `own.flat = 0 and other.flat = 0 and other.dhash_0 = own.dhash_0
  and other.dhash_without_0 = own.dhash_without_0`;

const TABLES = {
  bytes: { table: raw('images'), key: raw('id'), isSame: raw(SAME_BYTES) },
  hash: { table: raw('image_appearances'), key: raw('image_id'), isSame: raw(SAME_HASH) },
};

interface EqualsRow {
  readonly id: number;
  /** Ids with commas between them. */
  readonly equals: string | null;
}

/**
 * Ids of others with the same bytes or hash, by the id of the image, in one statement. A flat hash has no equals.
 *
 * @param limit of the others of an image, the oldest ones
 */
export async function equalImages(
  reader: RowReader & { readonly dialect: SqlDialect },
  what: keyof typeof TABLES,
  { space, ids, beside }: Compared,
  limit: number,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { table, key, isSame } = TABLES[what];
  const statement = sql`select own.${key} as id,
    (select string_agg(cast(same.id as text), ',') from (select other.${key} as id from ${table} as other
      where other.space = own.space and ${isSame} and other.${key} ${raw(beside)} own.${key}
      order by other.${key} limit ${limit}) as same) as equals
    from ${table} as own where ${reader.dialect.isAmong(`own.${key.sql}`, ids)} and ${hasSpace(space, '+own.space')}`;
  const rows = ids.length === 0 ? [] : await reader.rows<EqualsRow>(statement);
  return new Map(
    rows.flatMap(({ id, equals }) => (equals === null ? [] : [[id, equals.split(',').map(Number)] as const])),
  );
}
