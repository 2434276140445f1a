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
}

/** Writes them to the feed in this order. The caller holds the lock of `SqlDialect.lockChanges`, which orders the numbers. */
export async function recordChanges(
  changes: readonly RecordedChange[],
  at: Date,
  transaction: Knex,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ type, imageId, spaceId, by, version, name }, index) => [
    index + 1,
    imageId,
    CHANGE_KINDS[type],
    spaceId,
    version ?? null,
    by ?? null,
    name ?? null,
  ]);
  const { jsonRows } = dialectOf(transaction);
  const statement = sql`insert into changes (number, at, image_id, kind, space, version, actor, name)
    select (select max(number) from changes) + cast(value ->> 0 as integer), cast(${at.getTime()} as bigint),
      cast(value ->> 1 as bigint), cast(value ->> 2 as integer), cast(value ->> 3 as integer),
      cast(value ->> 4 as integer), value ->> 5, value ->> 6 from ${jsonRows(rows)}`;
  await rowsOf(transaction, statement);
}
