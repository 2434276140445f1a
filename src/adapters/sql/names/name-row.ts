import type { Knex } from 'knex';
import { raw as objectionRaw } from 'objection';
import type { Name, NameCondition } from '../../../domain/name/name.ts';
import type { RecordedName } from '../../../domain/ports/records/names.ts';
import { CHANGE_KINDS, recordChanges } from '../changes/record-changes.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { RowModel } from '../database/row-model.ts';
import { raw, rowsOf, sql } from '../database/sql-fragment.ts';

export class NameRow extends RowModel {
  static override readonly tableName = 'names';
  static override readonly idColumn = 'number';

  declare number: number;
  /** Null: the name is gone. */
  declare image_id: number | null;
  declare updated_at: number;
  declare mark: number;
  declare space: number;
  declare version: number;
  declare name: Name;
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
  /** Of the name; `undefined` if there never was one, or if it is forgotten. */
  readonly before: NameRow | undefined;
}

/** No name that was forgotten had this version: its clients may still have it. */
const FIRST_VERSION = objectionRaw('(select version + 1 from forgotten_names)');

/** Resolves to the row. */
export async function point(
  { spaceId, name, imageId, by, before }: NewPointer,
  now: Date,
  transaction: Knex,
): Promise<NameRow> {
  const columns = { image_id: imageId, updated_at: now.getTime() };
  const names = NameRow.query(transaction);
  const row =
    before === undefined
      ? await names.insert({ ...columns, version: FIRST_VERSION, space: spaceId, name }).returning('*')
      : await names
          .patch({ ...columns, version: before.version + 1 })
          .findById(before.number)
          .returning('*');
  if (row === undefined) throw new TypeError('The name was not recorded');
  await recordChanges([{ type: 'name.set', imageId, name, spaceId, by }], now, transaction);
  return row;
}

export async function findNameRow(
  spaceId: number,
  name: Name,
  connection: Knex,
): Promise<NameRow | undefined> {
  return await NameRow.query(connection).findOne({ space: spaceId, name });
}

/** A name that is gone is as one that never was. */
export function isExpected(row: NameRow | undefined, matches: NameCondition | undefined): boolean {
  return matches?.(row === undefined || row.image_id === null ? undefined : row.version) ?? true;
}

/** Images whose names go with them, with who has asked for it. */
type Leaving = ReadonlyMap<number, string | undefined>;

/** Before the images themselves: a name never points to one that is gone. The caller holds the lock of changes. */
export async function removeNamesOf(images: Leaving, now: Date, transaction: Knex): Promise<void> {
  const { jsonRows } = dialectOf(transaction);
  const leaving = jsonRows([...images].map(([id, by]) => [id, by ?? null]));
  const named = sql`image_id in (select cast(value ->> 0 as bigint) from ${leaving})`;
  // By sets: an image may have more names than a statement has variables for.
  const kind = raw(String(CHANGE_KINDS['name.removed']));
  await rowsOf(
    transaction,
    sql`insert into changes (number, at, image_id, actor, kind, space, name)
    select (select max(number) from changes) + row_number() over (order by names.image_id, names.name),
      cast(${now.getTime()} as bigint), names.image_id, value ->> 1, ${kind}, names.space, names.name
    from ${leaving} cross join names where names.image_id = cast(value ->> 0 as bigint)`,
  );
  const removal = sql`update names set image_id = null, updated_at = ${now.getTime()} where ${named}`;
  await rowsOf(transaction, removal);
}

/** The caller holds the lock of changes. */
export async function removeName(
  { number, image_id, name, space: spaceId }: NameRow,
  by: string | undefined,
  now: Date,
  transaction: Knex,
): Promise<void> {
  const gone = { image_id: null, updated_at: now.getTime() };
  await NameRow.query(transaction).patch(gone).findById(number);
  const change = { type: 'name.removed', imageId: Number(image_id), name, spaceId, by } as const;
  await recordChanges([change], now, transaction);
}
