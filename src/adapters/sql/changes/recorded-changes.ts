import type { Knex } from 'knex';
import type { Name } from '../../../domain/name/name.ts';
import type { ChangeType } from '../../../domain/ports/records/change-feed.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';

export const CHANGES_TABLE = 'changes';

/** Triggers know the first three. */
export const CHANGE_KINDS: Readonly<Record<ChangeType, number>> = {
  'image.created': 1,
  'image.updated': 2,
  'image.deleted': 3,
  'image.trashed': 4,
  'image.restored': 5,
  'name.set': 6,
  'name.removed': 7,
};

/** A change that the running transaction has made. */
export interface MadeChange {
  readonly imageId: number;
  /** If it differs from what the trigger has seen. */
  readonly type?: ChangeType | undefined;
  /** Who has asked for it; `undefined` if no client has, or if it is not recorded. */
  readonly by: string | undefined;
}

/** They are the newest: the transaction holds the lock of changes. */
const NEWEST = 'number > (select max(number) from changes) - ?';

/**
 * Adds what only the application knows to the rows that the triggers of the database have written.
 *
 * @param made the last changes of the transaction
 */
export async function attributeChanges(
  made: readonly MadeChange[],
  at: Date,
  dialect: SqlDialect,
  transaction: Knex,
): Promise<void> {
  if (made.length === 0) return;
  await transaction.raw(
    `update changes set at = ?, actor = value ->> 1, kind = coalesce(cast(value ->> 2 as integer), kind)
    from ${dialect.jsonRows} where ${NEWEST} and image_id = cast(value ->> 0 as bigint)`,
    [at.getTime(), JSON.stringify(made.map(valuesOf)), made.length],
  );
}

function valuesOf({ imageId, by, type }: MadeChange): readonly unknown[] {
  return [imageId, by ?? null, type === undefined ? null : CHANGE_KINDS[type]];
}

/** One that no trigger sees. */
export interface AppendedChange extends MadeChange {
  readonly spaceId: number;
  readonly type: ChangeType;
  /** Of changes of names. */
  readonly name?: Name | undefined;
}

/** Behind all other changes of the transaction, in this order. */
export async function appendChanges(
  appended: readonly AppendedChange[],
  at: Date,
  dialect: SqlDialect,
  transaction: Knex,
): Promise<void> {
  if (appended.length === 0) return;
  const rows = appended.map((change, index) => [
    ...valuesOf(change),
    change.spaceId,
    index + 1,
    change.name ?? null,
  ]);
  await transaction.raw(
    `insert into changes (number, at, image_id, actor, kind, space, name)
    select (select max(number) from changes) + cast(value ->> 4 as integer), cast(? as bigint), cast(value ->> 0 as bigint),
      value ->> 1, cast(value ->> 2 as integer), cast(value ->> 3 as integer), value ->> 5 from ${dialect.jsonRows}`,
    [at.getTime(), JSON.stringify(rows)],
  );
}

/**
 * For what the transaction has recorded and removed again, or what is no change.
 *
 * @param newest how many of the last changes are looked at; the transaction has made them
 */
export async function forgetChanges(
  imageIds: readonly number[],
  newest: number,
  transaction: Knex,
): Promise<void> {
  if (imageIds.length === 0) return;
  await transaction(CHANGES_TABLE)
    .delete()
    .whereIn('image_id', [...imageIds])
    .whereRaw(NEWEST, [newest]);
}
