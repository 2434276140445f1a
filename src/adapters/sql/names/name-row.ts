import type { Knex } from 'knex';
import { raw as objectionRaw } from 'objection';
import type { Name, NameCondition } from '../../../domain/name/name.ts';
import type { RecordedName } from '../../../domain/ports/records/names.ts';
import { recordChanges } from '../changes/record-changes.ts';
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
  /** 1 or 0. It counts only while the name points to an image. */
  declare is_public: number;
}

export const NAME_COLUMNS = 'number, image_id, updated_at, mark, space, version, name, is_public';

export function recordedNameFrom({
  name,
  number,
  mark,
  version,
  updated_at,
  image_id,
  is_public,
}: NameRow): RecordedName {
  const imageId = image_id ?? undefined;
  const isPublic = imageId !== undefined && is_public === 1;
  return { name, number, mark, version, updatedAt: new Date(updated_at), imageId, isPublic };
}

export function isPublished(row: NameRow | undefined): boolean {
  return row !== undefined && recordedNameFrom(row).isPublic;
}

/** A name that the running transaction points to an image. It holds the lock of changes. */
export interface NewPointer {
  readonly spaceId: number;
  readonly name: Name;
  readonly imageId: number;
  readonly isPublic: boolean;
  readonly by: string | undefined;
  /** Of the name; `undefined` if there never was one, or if it is forgotten. */
  readonly before: NameRow | undefined;
}

/** No name that was forgotten had this version: its clients may still have it. */
const FIRST_VERSION = objectionRaw('(select version + 1 from forgotten_names)');

/** Resolves to the row. */
export async function point(
  { spaceId, name, imageId, isPublic, by, before }: NewPointer,
  now: Date,
  transaction: Knex,
): Promise<NameRow> {
  const columns = { image_id: imageId, updated_at: now.getTime(), is_public: Number(isPublic) };
  const names = NameRow.query(transaction);
  const row =
    before === undefined
      ? await names.insert({ ...columns, version: FIRST_VERSION, space: spaceId, name }).returning('*')
      : await names
          .patch({ ...columns, version: before.version + 1 })
          .findById(before.number)
          .returning('*');
  if (row === undefined) throw new TypeError('The name was not recorded');
  await recordChanges([{ type: 'name.set', imageId, name, spaceId, by, isPublic }], now, transaction);
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

/** An image from an earlier version may have tens of thousands of names. Between two portions the event loop serves other requests. */
const REMOVED_AT_A_TIME = 1_000;

/** Before the images themselves: a name never points to one that is gone. The caller holds the lock of changes. */
export async function removeNamesOf(images: Leaving, now: Date, transaction: Knex): Promise<void> {
  const named = dialectOf(transaction).isAmong('image_id', [...images.keys()]);
  for (;;) {
    const rows = await rowsOf<NameRow>(
      transaction,
      sql`select ${raw(NAME_COLUMNS)} from names where ${named} order by image_id, name limit ${REMOVED_AT_A_TIME}`,
    );
    if (rows.length > 0) await removeNames(rows, (imageId) => images.get(imageId), now, transaction);
    if (rows.length < REMOVED_AT_A_TIME) return;
  }
}

/** In this order. The caller holds the lock of changes. */
export async function removeNames(
  rows: readonly NameRow[],
  byOf: (imageId: number) => string | undefined,
  now: Date,
  transaction: Knex,
): Promise<void> {
  const those = dialectOf(transaction).isAmong(
    'number',
    rows.map(({ number }) => number),
  );
  const removal = sql`update names set image_id = null, is_public = 0, updated_at = ${now.getTime()} where ${those}`;
  await rowsOf(transaction, removal);
  const changes = rows.map(({ name, space: spaceId, image_id }) => {
    const imageId = Number(image_id);
    return { type: 'name.removed', imageId, name, spaceId, by: byOf(imageId) } as const;
  });
  await recordChanges(changes, now, transaction);
}
