import { hasSpace } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { join, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import type { BandProbes } from './band-probes.ts';
import type { Compared } from './compared.ts';

/**
 * The columns of a `NearRow`. Reads index entries alone, and none that it does not return: in an index by hash, what is older than an image
 * may stand behind all that is not. A flat hash has no row.
 *
 * @param perBand images of one band at most, and the image itself may be one of them
 */
export function selectNear(
  dialect: SqlDialect,
  { space, ids }: Pick<Compared, 'space' | 'ids'>,
  probes: readonly BandProbes[],
  perBand: number,
): SqlFragment {
  const columns = probes.map(
    (some) =>
      sql`look.dhash_without_${raw(`${some.band} as own_${some.band}`)},
      ${nearIn(dialect, some, perBand)} as near_${raw(`${some.band}`)}`,
  );
  return sql`select look.image_id as id, ${join(columns, ', ')} from image_appearances as look
    where look.flat = 0 and ${dialect.isAmong('look.image_id', ids)} and ${hasSpace(space, '+look.space')}`;
}

function nearIn({ jsonRows }: SqlDialect, { band, masks }: BandProbes, perBand: number): SqlFragment {
  const own = raw(`look.dhash_${band}`);
  const mask = raw('cast(probes.value ->> 0 as integer)');
  const [first] = masks;
  const isOwn = masks.length === 1 && first === 0;
  // SQLite takes the tables of a cross join in this order.
  const probes = isOwn ? raw('') : sql`${jsonRows(masks.map((value) => [value]))} as probes cross join`;
  const value = isOwn ? own : sql`(${own} | ${mask}) - (${own} & ${mask})`;
  return sql`(select string_agg(candidate, ';') from
    (select other.dhash_without_${raw(`${band}`)} || ',' || other.image_id as candidate
    from ${probes} image_appearances as other
    where other.flat = 0 and other.space = look.space and other.dhash_${raw(`${band}`)} = ${value}
    limit ${perBand}) as found)`;
}
