import { bitCount } from '../../../domain/image/bit-count.ts';
import type { SimilarMatch } from '../../../domain/ports/records/similar-images.ts';
import { hasSpace } from '../database/in-space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { join, type RowReader, raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import type { BandProbes } from './band-probes.ts';
import type { Compared } from './compared.ts';

interface NearRow extends Readonly<Record<`own_${number}` | `near_${number}`, string | number | null>> {
  readonly id: number;
}

interface Probed {
  /** As many bits as the probes flip. */
  readonly ring: number;
  readonly probes: readonly BandProbes[];
  /** Images of one band at most, and the image itself may be one of them. */
  readonly perBand: number;
}

/** An image with its candidates: others whose hash has one of the probed bands. */
interface Near {
  readonly id: number;
  /** Of each band, with the distances of the whole hashes. Takes a while for many of them. */
  readonly ofBands: () => ReadonlyArray<readonly SimilarMatch[]>;
}

/**
 * Reads index entries alone, and none that it does not return: in an index by hash, what is older than an image may stand behind all that
 * is not. A flat hash has no candidates.
 */
export async function nearCandidates(
  reader: RowReader & { readonly dialect: SqlDialect },
  { space, ids }: Pick<Compared, 'space' | 'ids'>,
  { ring, probes, perBand }: Probed,
): Promise<readonly Near[]> {
  const { dialect } = reader;
  const columns = probes.map(
    (some) =>
      sql`look.dhash_without_${raw(`${some.band} as own_${some.band}`)},
      ${nearIn(dialect, some, perBand)} as near_${raw(`${some.band}`)}`,
  );
  const rows = await reader.rows<NearRow>(
    sql`select look.image_id as id, ${join(columns, ', ')} from image_appearances as look
    where look.flat = 0 and ${dialect.isAmong('look.image_id', ids)} and ${hasSpace(space, '+look.space')}`,
  );
  const ofBand = (row: NearRow, band: number): readonly SimilarMatch[] =>
    candidatesIn(row[`near_${band}`]).map(({ id, bits }) => {
      return { id, distance: ring + bitsApart(Number(row[`own_${band}`]), bits) };
    });
  return rows.map((row) => ({ id: row.id, ofBands: () => probes.map(({ band }) => ofBand(row, band)) }));
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

/**
 * As in `123,4;567,8`: bits without the band, and id. Null if there are none. One text for each band: a row for each candidate would cost
 * ten times as much.
 */
function candidatesIn(
  text: string | number | null | undefined,
): ReadonlyArray<{ readonly id: number; readonly bits: number }> {
  if (typeof text !== 'string') return [];
  return text.split(';').map((candidate) => {
    const comma = candidate.indexOf(',');
    return { bits: Number(candidate.slice(0, comma)), id: Number(candidate.slice(comma + 1)) };
  });
}

const HALF = 2 ** 24;

/** Of 48 bits, those that differ. Bitwise operators take 32. */
function bitsApart(one: number, other: number): number {
  const high = Math.floor(one / HALF) ^ Math.floor(other / HALF);
  return bitCount(high) + bitCount((one % HALF) ^ (other % HALF));
}
