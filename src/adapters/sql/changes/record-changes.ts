import type { Knex } from 'knex';
import type { Name } from '../../../domain/name/name.ts';
import type { ChangeType } from '../../../domain/ports/records/change-feed.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { rowsOf, sql } from '../database/sql-fragment.ts';

export const CHANGE_KINDS: Readonly<Record<ChangeType, number>> = {
  'image.created': 1,
  'image.updated': 2,
  'image.deleted': 3,
  'image.trashed': 4,
  'image.restored': 5,
  'name.set': 6,
  'name.removed': 7,
};

/** A change that the running transaction makes. */
export interface RecordedChange {
  readonly type: ChangeType;
  readonly imageId: number;
  readonly spaceId: number;
  /** Who has asked for it; `undefined` if no client has, or if it is not recorded. */
  readonly by: string | undefined;
  /** Of the metadata; of `image.updated` alone. */
  readonly version?: number | undefined;
  /** Of changes of names alone. */
  readonly name?: Name | undefined;
  /** Of `name.set` alone. */
  readonly isPublic?: boolean | undefined;
}

/** Writes them to the feed in this order. The caller holds the lock of `SqlDialect.lockChanges`, which orders the numbers. */
export async function recordChanges(
  changes: readonly RecordedChange[],
  at: Date,
  transaction: Knex,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ type, imageId, spaceId, by, version, name, isPublic }, index) => [
    index + 1,
    imageId,
    CHANGE_KINDS[type],
    spaceId,
    version ?? null,
    by ?? null,
    name ?? null,
    isPublic === undefined ? null : Number(isPublic),
  ]);
  const { jsonRows } = dialectOf(transaction);
  const statement = sql`insert into changes (number, at, image_id, kind, space, version, actor, name, is_public)
    select (select max(number) from changes) + cast(value ->> 0 as integer), cast(${at.getTime()} as bigint),
      cast(value ->> 1 as bigint), cast(value ->> 2 as integer), cast(value ->> 3 as integer),
      cast(value ->> 4 as integer), value ->> 5, value ->> 6,
      cast(value ->> 7 as integer) from ${jsonRows(rows)}`;
  await rowsOf(transaction, statement);
}

/**
 * Stores an actor once for all changes that `record` writes without one. The caller holds the lock of `SqlDialect.lockChanges`. Resolves
 * to their number.
 */
export async function recordTogether(
  by: string | undefined,
  transaction: Knex,
  record: () => Promise<void>,
): Promise<number> {
  const before = await newestNumber(transaction);
  await record();
  const last = await newestNumber(transaction);
  if (by !== undefined && last > before) {
    const actor = sql`insert into change_actors (first_number, last_number, actor) values (${before + 1}, ${last}, ${by})`;
    await rowsOf(transaction, actor);
  }
  return last - before;
}

async function newestNumber(transaction: Knex): Promise<number> {
  const newest = sql`select max(number) as number from changes`;
  const [row] = await rowsOf<{ readonly number: number | string }>(transaction, newest);
  return Number(row?.number);
}
