import type { Knex } from 'knex';
import {
  type Amount,
  COMMON_SPACE,
  type Limits,
  NOTHING,
  type Space,
  type Usage,
} from '../../../domain/space/space.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { COMMON_SPACE_ID } from '../database/in-space.ts';
import { RowModel } from '../database/row-model.ts';
import { raw, rowsOf, type SqlFragment, sql } from '../database/sql-fragment.ts';

export class SpaceRow extends RowModel {
  static override readonly tableName = 'spaces';

  declare id: number;
  declare name: Space;
  declare images: number;
  declare bytes: number;
  declare trashed_images: number;
  declare trashed_bytes: number;
  /** Null means the limit of the settings, `UNLIMITED` no limit. */
  declare max_images: number | null;
  declare max_bytes: number | null;
  /** Of the image that was added last; none in the common space, where the id counts. */
  declare last_place: number;
}

/** Stands for no limit in a row. No client can set so much, and earlier versions take it for a limit that is never reached. */
export const UNLIMITED = 2 ** 53;

const COLUMNS = 'id, name, images, bytes, trashed_images, trashed_bytes, max_images, max_bytes, last_place';

/** A change of the counters of a space. */
interface Difference extends Amount {
  readonly places: number;
  readonly trashed: Amount;
}

/** The sums of changes, by space. */
export class Differences extends Map<Space, Difference> {
  in(space: Space): Difference {
    return this.get(space) ?? { ...NOTHING, places: 0, trashed: NOTHING };
  }

  /** @param places that are taken in a space; in the common one there are none */
  add(space: Space, amount: Amount, places = 0): void {
    const before = this.in(space);
    const taken = before.places + (space === COMMON_SPACE ? 0 : places);
    this.set(space, { ...before, ...sumOf(before, amount), places: taken });
  }

  addTrashed(space: Space, amount: Amount): void {
    const before = this.in(space);
    this.set(space, { ...before, trashed: sumOf(before.trashed, amount) });
  }
}

function sumOf(one: Amount, other: Amount): Amount {
  return { images: one.images + other.images, bytes: one.bytes + other.bytes };
}

/** Those that change, with their types. */
const COUNTERS: ReadonlyArray<readonly [name: string, type: string]> = [
  ['images', 'bigint'],
  ['bytes', 'bigint'],
  ['last_place', 'integer'],
  ['trashed_images', 'bigint'],
  ['trashed_bytes', 'bigint'],
];

function countersOf({ images, bytes, places, trashed }: Difference): readonly number[] {
  return [images, bytes, places, trashed.images, trashed.bytes];
}

/**
 * Changes the counters, and makes the rows of spaces that have none. Resolves to all of these rows. The caller holds the
 * lock of `SqlDialect.lockChanges`, or takes it by this statement on engines without such a lock.
 */
export async function changeCounters(
  differences: ReadonlyMap<Space, Difference>,
  transaction: Knex,
): Promise<ReadonlyMap<Space, SpaceRow>> {
  if (differences.size === 0) return new Map();
  const { jsonRows } = dialectOf(transaction);
  const values = COUNTERS.map(([, type], at) => `cast(value ->> ${at + 1} as ${type})`);
  const added = COUNTERS.map(([name], at) => `${name} = spaces.${name} + ${values[at]}`);
  const all = [...differences].map(([space, difference]) => [space, ...countersOf(difference)]);
  const known = await rowsOf<SpaceRow>(
    transaction,
    sql`update spaces set ${raw(added.join(', '))} from ${jsonRows(all)}
      where name = value ->> 0 returning ${raw(COLUMNS)}`,
  );
  const names = new Set(known.map(({ name }) => name));
  const unknown = all.filter(([space]) => !names.has(space as Space));
  // Not an upsert of all: each would use up a number of the sequence.
  const made = unknown.length === 0 ? [] : await insertCounters(jsonRows(unknown), values, transaction);
  return new Map([...known, ...made].map((row) => [row.name, row]));
}

async function insertCounters(
  rows: SqlFragment,
  values: readonly string[],
  transaction: Knex,
): Promise<readonly SpaceRow[]> {
  const names = COUNTERS.map(([name]) => name);
  const added = names.map((name) => `${name} = spaces.${name} + excluded.${name}`);
  return await rowsOf<SpaceRow>(
    transaction,
    sql`insert into spaces (name, ${raw(names.join(', '))}) select value ->> 0, ${raw(values.join(', '))}
    from ${rows} where true
    -- A key for the space may just have been claimed.
    on conflict (name) do update set ${raw(added.join(', '))} returning ${raw(COLUMNS)}`,
  );
}

/** Gives the places that a change of the counters has taken, one after the other; null in the common space. */
export function takenPlaces(
  rows: ReadonlyMap<Space, SpaceRow>,
  taken: Differences,
): (space: Space) => number | null {
  const given = new Map([...rows].map(([space, row]) => [space, row.last_place - taken.in(space).places]));
  return (space) => {
    if (space === COMMON_SPACE) return null;
    const place = (given.get(space) ?? 0) + 1;
    given.set(space, place);
    return place;
  };
}

/** Makes the row if there is none. */
export async function spaceIdOf(space: Space, connection: Knex): Promise<number> {
  if (space === COMMON_SPACE) return COMMON_SPACE_ID;
  const [found] = await rowsOf<SpaceRow>(connection, sql`select id from spaces where name = ${space}`);
  if (found !== undefined) return found.id;
  await SpaceRow.query(connection).insert({ name: space }).onConflict('name').ignore();
  return await spaceIdOf(space, connection);
}

/** By name. Makes the rows of spaces that have none. */
export async function spaceIdsOf(
  owned: ReadonlyArray<{ readonly space: Space }>,
  connection: Knex,
): Promise<ReadonlyMap<Space, number>> {
  const names = [...new Set(owned.map(({ space }) => space))];
  const known = await SpaceRow.query(connection).whereIn('name', names);
  const ids = new Map(known.map(({ id, name }) => [name, id]));
  for (const name of names) ids.set(name, ids.get(name) ?? (await spaceIdOf(name, connection)));
  return ids;
}

/** With images in the trash. */
export function heldIn(row: SpaceRow): Amount {
  return { images: row.images + row.trashed_images, bytes: row.bytes + row.trashed_bytes };
}

export function limitsOf(row: Pick<SpaceRow, 'max_images' | 'max_bytes'>, defaults: Limits): Limits {
  return {
    images: limitIn(row.max_images, defaults.images),
    bytes: limitIn(row.max_bytes, defaults.bytes),
  };
}

function limitIn(column: number | null, usual: number | null): number | null {
  return column === UNLIMITED ? null : (column ?? usual);
}

export function usageFrom(row: SpaceRow, defaults: Limits): Usage {
  return {
    images: row.images,
    bytes: row.bytes,
    trashed: { images: row.trashed_images, bytes: row.trashed_bytes },
    limits: limitsOf(row, defaults),
  };
}
