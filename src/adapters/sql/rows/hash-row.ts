import type { Knex } from 'knex';
import { type ImageHashes, isFlat, type PerceptualHash } from '../../../domain/image/image-hashes.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { RowModel } from '../database/row-model.ts';
import { raw, rowsOf, sql } from '../database/sql-fragment.ts';

type Band = 0 | 1 | 2 | 3;

export interface HashRow extends Readonly<Record<`dhash_${Band}` | `phash_${Band}`, number>> {
  readonly image_id: number;
  /** 0xRRGGBB */
  readonly mean_colour: number;
}

function bandsOf<Prefix extends string>(prefix: Prefix): ReadonlyArray<`${Prefix}_${Band}`> {
  return ([0, 1, 2, 3] as const).map((band) => `${prefix}_${band}` as const);
}

/** The columns of a `HashRow`. */
export const SELECTED = ['image_id', ...bandsOf('dhash'), ...bandsOf('phash'), 'mean_colour'] as const;

/** In the order of `valuesOf`. */
const COLUMNS: readonly string[] = [...SELECTED, ...bandsOf('dhash_without'), 'flat'];

/** The model of the table. Searches and uploads keep their measured statements: see ADR 73. */
class HashModel extends RowModel {
  static override readonly tableName = 'image_appearances';
  static override readonly idColumn = 'image_id';
}

/** By id of the image. */
export async function findHashRows(
  ids: readonly number[],
  connection: Knex,
): Promise<ReadonlyMap<number, ImageHashes>> {
  const rows = await HashModel.query(connection)
    .select(...SELECTED)
    .findByIds([...ids])
    .castTo<HashRow[]>();
  return new Map(rows.map((row) => [row.image_id, hashesFromRow(row)]));
}

/** In one statement. Skips images that are not there; the caller keeps others from removing them meanwhile. */
export async function writeHashes(
  images: Iterable<readonly [id: number, hashes: ImageHashes | undefined]>,
  transaction: Knex,
): Promise<void> {
  const all = [...images].flatMap(([id, hashes]) => (hashes === undefined ? [] : [valuesOf(id, hashes)]));
  if (all.length === 0) return;
  const values = COLUMNS.map((_, at) => `cast(value ->> ${at} as bigint)`);
  const updates = COLUMNS.slice(1).map((name) => `${name} = excluded.${name}`);
  const { jsonRows } = dialectOf(transaction);
  await rowsOf(
    transaction,
    sql`insert into image_appearances (${raw(COLUMNS.join(', '))}, space) select ${raw(values.join(', '))}, images.space
    from ${jsonRows(all)} join images on images.id = cast(value ->> 0 as bigint) where true
    on conflict (image_id) do update set ${raw(updates.join(', '))}`,
  );
}

/** The 48 bits of the other bands. */
export function withoutBand(hash: PerceptualHash, band: number): number {
  return hash.reduce((bits, value, index) => (index === band ? bits : bits * 0x10000 + value), 0);
}

function valuesOf(id: number, hashes: ImageHashes): readonly number[] {
  const { dHash, pHash, meanColour } = hashes;
  const [red, green, blue] = meanColour;
  const others = dHash.map((_, band) => withoutBand(dHash, band));
  return [id, ...dHash, ...pHash, (red << 16) | (green << 8) | blue, ...others, Number(isFlat(hashes))];
}

export function hashesFromRow(row: HashRow): ImageHashes {
  const colour = row.mean_colour;
  return {
    dHash: [row.dhash_0, row.dhash_1, row.dhash_2, row.dhash_3],
    pHash: [row.phash_0, row.phash_1, row.phash_2, row.phash_3],
    meanColour: [colour >> 16, (colour >> 8) & 0xff, colour & 0xff],
  };
}
