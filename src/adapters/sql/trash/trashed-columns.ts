import type { ImageHashes } from '../../../domain/image/image-hashes.ts';
import { type ImageMetadata, NO_CAPTURE, NO_METADATA } from '../../../domain/image/image-metadata.ts';
import type { ImportedImage } from '../../../domain/ports/records/image-repository.ts';
import type { TrashedRecord } from '../../../domain/ports/records/trash.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { type StoredUuid, uuidFrom } from '../rows/image-columns.ts';
import { initialMetadata } from '../rows/metadata-row.ts';

export const TRASH_TABLE = 'trashed_images';

export interface TrashedColumns {
  readonly image_id: number;
  readonly size: number;
  readonly trashed_at: number;
  readonly space: number;
  /** As that of `images`. */
  readonly place: number | null;
  readonly uuid: StoredUuid;
  readonly trashed_by: string | null;
  readonly snapshot: string;
}

export interface OwnedTrashedColumns extends TrashedColumns {
  readonly space_name: Space;
}

/** What a snapshot has of an image: all but what has a column. */
type KeptRecord = Omit<ImportedImage, 'id' | 'uuid' | 'size' | 'space' | 'metadata' | 'hashes'>;

interface Snapshot {
  readonly record: Omit<KeptRecord, 'createdAt'> & { readonly createdAt: string };
  readonly metadata: Omit<ImageMetadata, 'updatedAt'> & { readonly updatedAt: string | null };
  readonly hashes?: ImageHashes;
}

/** In the table, but for its numbers within the space. */
export function trashedColumnsOf(
  image: TrashedRecord,
  dialect: SqlDialect,
): Omit<TrashedColumns, 'space' | 'place'> {
  return {
    image_id: image.id,
    size: image.size,
    trashed_at: image.trashedAt.getTime(),
    uuid: dialect.storedUuid(image.uuid),
    trashed_by: image.trashedBy,
    snapshot: snapshotOf(image),
  };
}

function snapshotOf(image: TrashedRecord): string {
  const { id: _id, uuid: _uuid, size: _size, space: _space, ...described } = image;
  const { trashedAt: _trashedAt, trashedBy: _trashedBy, metadata, hashes, ...record } = described;
  return JSON.stringify({ record, metadata: metadata ?? initialMetadata(), hashes });
}

export function trashedRecordFromRow(row: OwnedTrashedColumns): TrashedRecord & { metadata: ImageMetadata } {
  const { record, metadata, hashes } = JSON.parse(row.snapshot) as Snapshot;
  const { updatedAt } = metadata;
  return {
    ...record,
    id: row.image_id,
    uuid: uuidFrom(row.uuid),
    size: row.size,
    createdAt: new Date(record.createdAt),
    space: row.space_name,
    // A snapshot that an earlier version has written lacks the fields of later ones.
    metadata: {
      ...NO_METADATA,
      ...metadata,
      capture: { ...NO_CAPTURE, ...metadata.capture },
      updatedAt: updatedAt === null ? null : new Date(updatedAt),
    },
    hashes,
    trashedAt: new Date(row.trashed_at),
    trashedBy: row.trashed_by,
  };
}
