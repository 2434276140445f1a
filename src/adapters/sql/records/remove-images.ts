import type { Knex } from 'knex';
import type { BlobKey } from '../../../domain/image/blob-key.ts';
import { LONGEST_LINK_MS } from '../../../domain/link/link-expiry.ts';
import type { Space } from '../../../domain/space/space.ts';
import { type RecordedChange, recordChanges } from '../changes/record-changes.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { raw, rowsOf, sql } from '../database/sql-fragment.ts';
import type { SearchIndex } from '../metadata/search-index.ts';
import { removeNamesOf } from '../names/name-row.ts';
import { catalogImageFromRow, type OwnedColumns, selectOwnedImages } from '../rows/image-columns.ts';
import type { MetadataRow } from '../rows/metadata-row.ts';
import { changeCounters, Differences } from '../rows/space-row.ts';
import { moveToTrash } from '../trash/move-to-trash.ts';

interface Removal {
  readonly now: Date;
  readonly index: SearchIndex;
}

/** An image of a space that is to be removed. */
export interface RemovedImage extends Pick<RecordedChange, 'imageId' | 'by'> {
  readonly space: Space;
  /** By default it is gone. */
  readonly to?: 'trash' | undefined;
}

interface FoundRow extends OwnedColumns, MetadataRow {
  readonly place: number | null;
  readonly newest: number;
  /** SQLite has numbers. */
  readonly is_named: boolean | 0 | 1;
  /** Equal in all rows: a deletion is remembered that no link needs any more. */
  readonly has_outdated: FoundRow['is_named'];
}

/**
 * With all that was derived from them. The caller holds the lock of `SqlDialect.lockChanges`. Resolves to those that have removed
 * their image: of several for one, the first.
 */
export async function removeImages(
  removals: readonly RemovedImage[],
  { now, index }: Removal,
  transaction: Knex.Transaction,
): Promise<ReadonlySet<RemovedImage>> {
  const asked = new Map(
    removals.toReversed().map((removal) => [keyOf(removal.space, removal.imageId), removal]),
  );
  const rows = await findRows([...new Set(removals.map(({ imageId }) => imageId))], now, transaction);
  const removed = rows.flatMap((row) => {
    const removal = asked.get(keyOf(row.space_name, row.id));
    return removal === undefined ? [] : [{ ...row, removal }];
  });
  if (removed.length === 0) return new Set();
  const trashed = removed.filter(({ removal }) => removal.to === 'trash');
  await moveToTrash(trashed, now, transaction);
  await index.write(
    transaction,
    removed.map((before) => ({ before })),
  );
  if (removed.some(({ is_named }) => is_named)) {
    const leaving = new Map(removed.map(({ id, removal }) => [id, removal.by]));
    await removeNamesOf(leaving, now, transaction);
  }
  // Their metadata and hashes go with them.
  const ids = removed.map(({ id }) => id);
  await rowsOf(transaction, sql`delete from images where ${dialectOf(transaction).isAmong('id', ids)}`);
  await countRemoved(removed, transaction);
  await recordChanges(removed.map(changeOf), now, transaction);
  if (removed.some(({ has_outdated }) => has_outdated)) await forgetOutdated(now, transaction);
  await rememberDeleted(removed, now, transaction);
  return new Set(removed.map(({ removal }) => removal));
}

interface RemovedRow extends FoundRow {
  readonly removal: RemovedImage;
}

function changeOf({ id: imageId, space: spaceId, removal: { by, to } }: RemovedRow): RecordedChange {
  return { type: to === 'trash' ? 'image.trashed' : 'image.deleted', imageId, spaceId, by };
}

async function countRemoved(removed: readonly RemovedRow[], transaction: Knex): Promise<void> {
  const differences = new Differences();
  for (const { space_name, size, removal } of removed) {
    differences.add(space_name, { images: -1, bytes: -size });
    if (removal.to === 'trash') differences.addTrashed(space_name, { images: 1, bytes: size });
  }
  await changeCounters(differences, transaction);
}

async function findRows(ids: readonly number[], now: Date, transaction: Knex): Promise<readonly FoundRow[]> {
  const dialect = dialectOf(transaction);
  const others = sql`image_metadata.*, images.space, images.place,
    (select created_at from images order by id desc limit 1) as newest,
    exists (select 1 from names where names.image_id = images.id) as is_named,
    exists (select 1 from ${raw(TABLE)} where deleted_at <= ${oldest(now)}) as has_outdated,`;
  const those = sql`where ${dialect.isAmong('images.id', ids)} order by images.id`;
  return await rowsOf<FoundRow>(transaction, sql`${selectOwnedImages(dialect, others)} ${those}`);
}

function keyOf(space: Space, id: number): string {
  return `${id} ${space}`;
}

const TABLE = 'deleted_images';
/** More than one deletion adds at a time, so that the table shrinks again. */
const FORGOTTEN_AT_A_TIME = 100;

/**
 * Remembers them as long as a link to them can be good. A restore does not forget them: a request may have looked for the image
 * just before.
 */
async function rememberDeleted(found: readonly FoundRow[], now: Date, transaction: Knex): Promise<void> {
  const deleted_at = now.getTime();
  const rows = found.map((row) => ({ id: row.id, uuid: catalogImageFromRow(row).uuid, deleted_at }));
  await transaction(TABLE).insert(rows).onConflict('id').merge();
}

async function forgetOutdated(now: Date, transaction: Knex): Promise<void> {
  const outdated = sql`select id from ${raw(TABLE)} where deleted_at <= ${oldest(now)}
    order by deleted_at limit ${FORGOTTEN_AT_A_TIME}`;
  await rowsOf(transaction, sql`delete from ${raw(TABLE)} where id in (${outdated})`);
}

export async function findDeletedUuid(id: number, now: Date, connection: Knex): Promise<BlobKey | undefined> {
  const statement = sql`select uuid from ${raw(TABLE)} where id = ${id} and deleted_at > ${oldest(now)}`;
  const [row] = await rowsOf<{ readonly uuid: BlobKey }>(connection, statement);
  return row?.uuid;
}

function oldest(now: Date): number {
  return now.getTime() - LONGEST_LINK_MS;
}
