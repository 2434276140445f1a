import type { Knex } from 'knex';
import type { BlobKey } from '../../../domain/image/blob-key.ts';
import { LONGEST_LINK_MS } from '../../../domain/link/link-expiry.ts';
import type { Space } from '../../../domain/space/space.ts';
import { type RecordedChange, recordChanges } from '../changes/record-changes.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { raw, rowsOf, sql } from '../database/sql-fragment.ts';
import { removeNamesOf } from '../names/name-row.ts';
import { SPACE_NAME, type StoredUuid, uuidFrom } from '../rows/image-columns.ts';
import { METADATA_TABLE, type MetadataRow } from '../rows/metadata-row.ts';
import { changeCounters, Differences } from '../rows/space-row.ts';
import type { SearchIndex } from '../search/search-index.ts';
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

/** With its metadata, whose `image_id` is null if it has none. */
interface FoundRow extends Omit<MetadataRow, 'image_id'> {
  readonly image_id: number | null;
  readonly id: number;
  readonly blob_uuid: StoredUuid;
  readonly size: number;
  readonly space: number;
  readonly space_name: Space;
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
  const found = rows.filter(({ id, space_name }) => asked.has(keyOf(space_name, id)));
  if (found.length === 0) return new Set();
  const made = found.map(({ id, space_name }) => asked.get(keyOf(space_name, id)) as RemovedImage);
  const ids = found.map(({ id }) => id);
  const described = new Map(found.flatMap((row) => (isDescribed(row) ? [[row.id, row]] : [])));
  const trashed = new Map(
    made.flatMap(({ imageId, to, by }) => (to === 'trash' ? [[imageId, by] as const] : [])),
  );
  if (trashed.size > 0) await moveToTrash(trashed, described, now, transaction);
  await index.write(
    transaction,
    [...described.values()].map((before) => ({ before })),
  );
  if (found.some(({ is_named }) => is_named)) {
    await removeNamesOf(new Map(made.map(({ imageId, by }) => [imageId, by])), now, transaction);
  }
  // Their metadata and hashes go with them.
  await rowsOf(transaction, sql`delete from images where ${dialectOf(transaction).isAmong('id', ids)}`);
  await countRemoved(found, trashed, transaction);
  const changes = made.map(({ imageId, by, to }, at): RecordedChange => {
    const type = to === 'trash' ? 'image.trashed' : 'image.deleted';
    return { type, imageId, spaceId: found[at]?.space as number, by };
  });
  await recordChanges(changes, now, transaction);
  if (found.some(({ has_outdated }) => has_outdated)) await forgetOutdated(now, transaction);
  await rememberDeleted(found, now, transaction);
  return new Set(made);
}

async function findRows(ids: readonly number[], now: Date, transaction: Knex): Promise<readonly FoundRow[]> {
  const statement = sql`select image_metadata.*, images.id, blob_uuid, size, images.space, ${raw(SPACE_NAME)},
    exists (select 1 from names where names.image_id = images.id) as is_named,
    exists (select 1 from ${raw(TABLE)} where deleted_at <= ${oldest(now)}) as has_outdated
    from images left join ${raw(METADATA_TABLE)} on image_id = images.id
    where ${dialectOf(transaction).isAmong('images.id', ids)} order by images.id`;
  return await rowsOf<FoundRow>(transaction, statement);
}

function isDescribed(row: FoundRow): row is FoundRow & MetadataRow {
  return row.image_id !== null;
}

async function countRemoved(
  found: readonly FoundRow[],
  trashed: ReadonlyMap<number, unknown>,
  transaction: Knex,
): Promise<void> {
  const differences = new Differences();
  for (const { id, space_name, size } of found) {
    differences.add(space_name, { images: -1, bytes: -size });
    if (trashed.has(id)) differences.addTrashed(space_name, { images: 1, bytes: size });
  }
  await changeCounters(differences, transaction);
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
  const rows = found.map(({ id, blob_uuid }) => ({ id, uuid: uuidFrom(blob_uuid), deleted_at }));
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
