import type { Knex } from 'knex';
import type { Name, NameCondition } from '../../../domain/name/name.ts';
import type { RecordedName } from '../../../domain/ports/records/names.ts';
import { appendChanges } from '../changes/recorded-changes.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';

export const NAMES_TABLE = 'names';

export interface NameRow {
  readonly number: number;
  /** Null: the name is gone. */
  readonly image_id: number | null;
  readonly updated_at: number;
  readonly mark: number;
  readonly space: number;
  readonly version: number;
  readonly name: Name;
}

export const NAME_COLUMNS = 'number, image_id, updated_at, mark, space, version, name';

export function recordedNameFrom({
  name,
  number,
  mark,
  version,
  updated_at,
  image_id,
}: NameRow): RecordedName {
  return { name, number, mark, version, updatedAt: new Date(updated_at), imageId: image_id ?? undefined };
}

/** A name that the running transaction points to an image. It holds the lock of changes. */
export interface NewPointer {
  readonly spaceId: number;
  readonly name: Name;
  readonly imageId: number;
  readonly by: string | undefined;
  /** Of the name; `undefined` if there never was one. */
  readonly before: NameRow | undefined;
}

/** Resolves to the row. */
export async function point(
  { spaceId, name, imageId, by, before }: NewPointer,
  now: Date,
  dialect: SqlDialect,
  transaction: Knex,
): Promise<NameRow> {
  const columns = { image_id: imageId, updated_at: now.getTime(), version: (before?.version ?? 0) + 1 };
  const changed =
    before === undefined
      ? transaction<NameRow>(NAMES_TABLE).insert({ ...columns, space: spaceId, name })
      : transaction<NameRow>(NAMES_TABLE).update(columns).where({ number: before.number });
  const [row] = await changed.returning('*');
  if (row === undefined) throw new TypeError('The name was not recorded');
  await appendChanges([{ type: 'name.set', imageId, name, spaceId, by }], now, dialect, transaction);
  return row;
}

export async function findNameRow(
  spaceId: number,
  name: Name,
  connection: Knex,
): Promise<NameRow | undefined> {
  return await connection<NameRow>(NAMES_TABLE).where({ space: spaceId, name }).first();
}

/** A name that is gone is as one that never was. */
export function isExpected(row: NameRow | undefined, matches: NameCondition | undefined): boolean {
  return matches?.(row === undefined || row.image_id === null ? undefined : row.version) ?? true;
}

/** Images whose names go with them, with who has asked for it. */
type Leaving = ReadonlyMap<number, string | undefined>;

/** Before the images themselves: a name never points to one that is gone. The caller holds the lock of changes. */
export async function removeNamesOf(
  images: Leaving,
  now: Date,
  dialect: SqlDialect,
  transaction: Knex,
): Promise<void> {
  const rows = await transaction<NameRow>(NAMES_TABLE)
    .whereIn('image_id', [...images.keys()])
    .orderBy(['image_id', 'name']);
  await removeNames(
    rows.map((row) => ({ row, by: images.get(Number(row.image_id)) })),
    now,
    dialect,
    transaction,
  );
}

interface RemovedName {
  readonly row: NameRow;
  readonly by: string | undefined;
}

export async function removeNames(
  removed: readonly RemovedName[],
  now: Date,
  dialect: SqlDialect,
  transaction: Knex,
): Promise<void> {
  if (removed.length === 0) return;
  const numbers = removed.map(({ row }) => row.number);
  await transaction(NAMES_TABLE)
    .update({ image_id: null, updated_at: now.getTime() })
    .whereIn('number', numbers);
  const changes = removed.map(({ row: { image_id, name, space }, by }) => {
    return { type: 'name.removed', imageId: Number(image_id), name, spaceId: space, by } as const;
  });
  await appendChanges(changes, now, dialect, transaction);
}
