import type { Knex } from 'knex';
import type { SqlDialect } from '../database/sql-dialect.ts';

export const CHANGES_TABLE = 'changes';

/** A change that the running transaction has made. */
export interface MadeChange {
  readonly imageId: number;
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
    `update changes set at = ?, actor = value ->> 1 from ${dialect.jsonRows}
    where ${NEWEST} and image_id = cast(value ->> 0 as bigint)`,
    [at.getTime(), JSON.stringify(made.map(({ imageId, by }) => [imageId, by ?? null])), made.length],
  );
}

/**
 * For images that the transaction has recorded and removed again.
 *
 * @param newest how many changes the transaction has made
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
