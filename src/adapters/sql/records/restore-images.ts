import type { Knex } from 'knex';
import { RecordConflict } from '../../../domain/errors.ts';
import type { Image } from '../../../domain/image/image.ts';
import type { ImportedImage } from '../../../domain/ports/records/image-repository.ts';
import { NOTHING, type Space } from '../../../domain/space/space.ts';
import { dialectOf } from '../database/dialect-of.ts';
import { inBatches } from '../database/in-batches.ts';
import type { MetadataChange, SearchIndex } from '../metadata/search-index.ts';
import { writeHashes } from '../rows/hash-row.ts';
import { columnsOf, IMAGES_TABLE, SPACE_NAME, type StoredUuid, uuidFrom } from '../rows/image-columns.ts';
import { findMetadataRows, initialMetadata } from '../rows/metadata-row.ts';
import { changeCounters, Differences, type SpaceRow, takenPlaces } from '../rows/space-row.ts';

export interface RestoredImage extends ImportedImage {
  /** If it has one in its space already; null in the common space. */
  readonly place?: number | null;
}

type SpaceIds = ReadonlyMap<Space, SpaceRow>;

/** Of `images`. */
const COLUMNS = 14;

/** @throws {RecordConflict} */
export async function restoreImages(
  images: readonly RestoredImage[],
  index: SearchIndex,
  transaction: Knex.Transaction,
): Promise<void> {
  await inBatches(images, COLUMNS, async (some) => {
    const spaces = await restoreSome(some, transaction);
    await restoreMetadata(some, spaces, index, transaction);
    const hashes = some.map((image) => [image.id, image.hashes] as const);
    await writeHashes(hashes, transaction);
  });
}

/** Images that are recorded already stay as they are. */
async function restoreSome(
  images: readonly RestoredImage[],
  transaction: Knex.Transaction,
): Promise<SpaceIds> {
  const dialect = dialectOf(transaction);
  const recorded = await requireSame(images, transaction);
  const added = new Differences();
  // Those that are recorded as well: the numbers of their spaces are needed.
  for (const { id, space, size, place } of images) {
    if (recorded.has(id)) added.add(space, NOTHING);
    else added.add(space, { images: 1, bytes: size }, typeof place === 'number' ? 0 : 1);
  }
  const spaces = await changeCounters(added, transaction);
  const placeIn = takenPlaces(spaces, added);
  const rows = images
    .filter(({ id }) => !recorded.has(id))
    .map((image) => ({
      ...columnsOf(image, dialect),
      id: image.id,
      space: spaces.get(image.space)?.id,
      place: image.place ?? placeIn(image.space),
      created_at: image.createdAt.getTime(),
      created_by: image.createdBy,
    }));
  if (rows.length === 0) return spaces;
  const inserted: ReadonlyArray<{ readonly id: number }> = await transaction(IMAGES_TABLE)
    .insert(rows)
    .onConflict()
    .ignore()
    .returning('id');
  // Two of them bear one id or UUID.
  if (inserted.length < rows.length) throw new RecordConflict(rows.map(({ id }) => id));
  return spaces;
}

interface FoundRow {
  readonly id: number;
  readonly blob_uuid: StoredUuid;
  readonly space_name: Space;
}

/** Resolves to the ids that are recorded, of the same images in the same spaces. */
async function requireSame(
  images: readonly ImportedImage[],
  transaction: Knex.Transaction,
): Promise<ReadonlySet<number>> {
  const found: readonly FoundRow[] = await transaction(IMAGES_TABLE)
    .select('id', 'blob_uuid', transaction.raw(SPACE_NAME))
    .whereIn(
      'id',
      images.map(({ id }) => id),
    )
    .orWhereIn(
      'blob_uuid',
      images.map(({ uuid }) => dialectOf(transaction).storedUuid(uuid)),
    );
  const byId = new Map(found.map((row) => [row.id, row]));
  const byUuid = new Map(found.map((row) => [uuidFrom(row.blob_uuid) as string, row]));
  const isOther = ({ id, uuid, space }: ImportedImage, row: FoundRow | undefined): boolean =>
    row !== undefined && (row.id !== id || uuidFrom(row.blob_uuid) !== uuid || row.space_name !== space);
  const conflicts = images.filter(
    (image) => isOther(image, byId.get(image.id)) || isOther(image, byUuid.get(image.uuid)),
  );
  if (conflicts.length > 0) throw new RecordConflict(conflicts.map(({ id }) => id));
  return new Set(byId.keys());
}

/** Where images are: live, or in the trash. */
const PLACES_OF_IMAGES = {
  images: { id: 'id', uuid: 'blob_uuid' },
  trashed_images: { id: 'image_id', uuid: 'uuid' },
};

/**
 * An image is in one of the two tables.
 *
 * @throws {RecordConflict}
 */
export async function requireNoneIn(
  table: keyof typeof PLACES_OF_IMAGES,
  images: ReadonlyArray<Pick<Image, 'id' | 'uuid'>>,
  transaction: Knex.Transaction,
): Promise<void> {
  const { id, uuid } = PLACES_OF_IMAGES[table];
  await inBatches(images, 2, async (some) => {
    const uuids = some.map((image) => dialectOf(transaction).storedUuid(image.uuid));
    const found = transaction(table).whereIn(uuid, uuids);
    const ids = some.map((image) => image.id);
    const conflict: unknown = await found.orWhereIn(id, ids).first(id);
    if (conflict !== undefined) throw new RecordConflict(ids);
  });
}

async function restoreMetadata(
  images: readonly ImportedImage[],
  spaces: SpaceIds,
  index: SearchIndex,
  transaction: Knex.Transaction,
): Promise<void> {
  const rows = await findMetadataRows(
    images.map(({ id }) => id),
    transaction,
  );
  const changes = images.flatMap((record): readonly MetadataChange[] => {
    const before = rows.get(record.id);
    if (record.metadata === undefined && before !== undefined) return [];
    const spaceId = (spaces.get(record.space) as SpaceRow).id;
    return [
      { before, after: { record: { ...record, spaceId }, metadata: record.metadata ?? initialMetadata() } },
    ];
  });
  await index.write(transaction, changes);
}
