import { hasSpace } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { join, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import type { BandProbes } from './band-probes.ts';
import type { CandidateText } from './candidate-text.ts';
import type { Compared } from './compared.ts';

/** Others of one band of an image at most. A million images with random hashes have 15. */
const PER_BAND = 64;

export interface NearRow
  extends Readonly<Record<`own_${number}` | `near_${number}`, CandidateText | number>> {
  readonly id: number;
}

/** Reads no more than index entries of the others. */
export function selectNear(
  dialect: SqlDialect,
  { space, ids, beside }: Compared,
  probes: readonly BandProbes[],
): SqlFragment {
  const columns = probes.map(
    (some) =>
      sql`look.dhash_without_${raw(`${some.band} as own_${some.band}`)},
      ${nearIn(dialect, some, raw(beside))} as near_${raw(`${some.band}`)}`,
  );
  return sql`select look.image_id as id, ${join(columns, ', ')} from image_appearances as look
    where look.flat = 0 and ${dialect.isAmong('look.image_id', ids)} and ${hasSpace(space, '+look.space')}`;
}

/** A `CandidateText`. */
function nearIn({ jsonRows }: SqlDialect, { band, masks }: BandProbes, comparison: SqlFragment): SqlFragment {
  const own = raw(`look.dhash_${band}`);
  const mask = raw('cast(probes.value ->> 0 as integer)');
  const [first] = masks;
  const isOwn = masks.length === 1 && first === 0;
  const probes = isOwn ? raw('') : sql`${jsonRows(masks.map((value) => [value]))} as probes cross join`;
  const value = isOwn ? own : sql`(${own} | ${mask}) - (${own} & ${mask})`;
  return sql`(select string_agg(candidate, ';') from
    (select other.dhash_without_${raw(`${band}`)} || ',' || other.image_id as candidate
    from ${probes} image_appearances as other
    where other.flat = 0 and other.space = look.space and other.dhash_${raw(`${band}`)} = ${value}
      and other.image_id ${comparison} look.image_id limit ${PER_BAND}) as found)`;
}
