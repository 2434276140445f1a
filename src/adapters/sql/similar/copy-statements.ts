import type { Space } from '../../../domain/space/space.ts';
import { hasSpace } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { join, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import type { BandProbes } from './band-probes.ts';
import type { CandidateText } from './candidate-text.ts';
import { type HashRow, SELECTED } from './hash-row.ts';

/** Images, and which others they are compared with. */
export interface Compared {
  readonly space: Space;
  readonly ids: readonly number[];
  readonly beside: '<' | '>';
}

/** Others of one band of an image at most. A million images with random hashes have 15. */
const PER_BAND = 64;

export interface EqualsRow {
  readonly id: number;
  /** Ids with commas between them. */
  readonly equals: string | null;
}

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

export interface LookRow extends HashRow {
  readonly id: number;
  readonly sha256: Buffer;
  readonly width: number;
  readonly height: number;
  /** JSON object. */
  readonly capture: string | null;
  /** Null if the hashes are not known. */
  readonly look_id: number | null;
}

export function selectLooks(dialect: SqlDialect, space: Space, ids: readonly number[]): SqlFragment {
  return sql`select images.id, images.sha256, images.width, images.height, image_metadata.capture,
    look.image_id as look_id, ${raw(SELECTED.map((name) => `look.${name}`).join(', '))}
    from images left join image_metadata on image_metadata.image_id = images.id
    left join image_appearances as look on look.image_id = images.id
    where ${dialect.isAmong('images.id', ids)} and ${hasSpace(space, '+images.space')}`;
}
