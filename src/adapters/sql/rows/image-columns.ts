import { type BlobKey, parseBlobKey } from '../../../domain/image/blob-key.ts';
import type { CatalogImage, NewImage } from '../../../domain/image/image.ts';
import type { MediaType } from '../../../domain/image/media-type.ts';
import type { OwnedImage } from '../../../domain/ports/records/image-repository.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { SqlDialect } from '../database/sql-dialect.ts';
import { raw, type SqlFragment, sql } from '../database/sql-fragment.ts';
import { focusIn, SUMMARY_COLUMNS, type SummaryColumns, tagsIn } from './field-columns.ts';

export const IMAGES_TABLE = 'images';

/** The numbers of the media types begin with 1. New ones come to the end. */
const MEDIA_TYPES: readonly MediaType[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

/** A UUID as the driver has it: text of Postgres, 16 bytes of SQLite. */
export type StoredUuid = string | Buffer;

/** What a new record tells of its image. */
interface RecordedColumns {
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly media_type: number;
  readonly blob_uuid: StoredUuid;
  readonly sha256: Buffer;
  readonly thumbhash_bytes: Buffer;
  readonly original_name: string;
  /** Null: 1. */
  readonly frames: number | null;
}

export interface ImageColumns extends RecordedColumns {
  readonly id: number;
  readonly created_at: number;
  readonly created_by: string | null;
}

/** Every image has metadata. An inner join may begin with them, and read more than a page. */
export const JOIN_METADATA = sql`left join image_metadata on image_metadata.image_id = images.id`;

export interface CatalogColumns
  extends Omit<ImageColumns, 'blob_uuid' | 'sha256' | 'thumbhash_bytes'>,
    SummaryColumns {
  /** See `SqlDialect.imageHex`. */
  readonly hex: string;
  readonly metadata_version: number;
}

const SHOWN_COLUMNS = raw(SUMMARY_COLUMNS.map((column) => `image_metadata.${column}`).join(', '));

export interface OwnedColumns extends CatalogColumns {
  readonly space_name: Space;
}

/** A prepared statement with an asterisk fails after a migration adds a column. */
const CATALOG_COLUMNS = sql`images.id, images.original_name, images.media_type, images.size, images.width, images.height,
  images.created_at, images.created_by, images.frames, image_metadata.version as metadata_version, ${SHOWN_COLUMNS}`;

export function catalogColumns({ imageHex }: SqlDialect): SqlFragment {
  return sql`${imageHex} as hex, ${CATALOG_COLUMNS}`;
}

/** Not joined: a join could change the order in which an engine reads the tables. */
export const SPACE_NAME = '(select name from spaces where spaces.id = images.space) as space_name';

/**
 * @param others columns, each with a comma behind it
 * @param rows the table, or some rows of it by its name
 */
export function selectOwnedImages(
  dialect: SqlDialect,
  others = raw(''),
  rows = raw(IMAGES_TABLE),
): SqlFragment {
  return sql`select ${others} ${catalogColumns(dialect)}, ${raw(SPACE_NAME)} from ${rows} ${JOIN_METADATA}`;
}

export function columnsOf(image: NewImage, dialect: SqlDialect): RecordedColumns {
  return {
    size: image.size,
    width: image.width,
    height: image.height,
    media_type: mediaTypeNumber(image.mediaType),
    blob_uuid: dialect.storedUuid(image.uuid),
    sha256: Buffer.from(image.sha256, 'hex'),
    thumbhash_bytes: Buffer.from(image.thumbhash, 'base64'),
    original_name: image.originalName,
    frames: image.frames === 1 ? null : image.frames,
  };
}

export function mediaTypeNumber(mediaType: MediaType): number {
  return MEDIA_TYPES.indexOf(mediaType) + 1;
}

export function uuidFrom(stored: StoredUuid): BlobKey {
  if (typeof stored === 'string') return parseBlobKey(stored);
  return uuidIn(stored.toString('hex'));
}

function uuidIn(hex: string): BlobKey {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

export function catalogImageFromRow(row: CatalogColumns): CatalogImage {
  // One literal: spreading two objects takes three times as long, for each row of a listing.
  return {
    id: row.id,
    uuid: uuidIn(row.hex),
    originalName: row.original_name,
    mediaType: MEDIA_TYPES[row.media_type - 1] as MediaType,
    size: row.size,
    width: row.width,
    height: row.height,
    frames: row.frames ?? 1,
    sha256: row.hex.slice(32, 96),
    thumbhash: Buffer.from(row.hex.slice(96), 'hex').toString('base64'),
    createdAt: new Date(row.created_at),
    createdBy: row.created_by,
    title: row.title,
    alt: row.alt,
    tags: tagsIn(row.tags),
    takenAt: row.taken_at,
    focus: focusIn(row.focus),
    metadataVersion: row.metadata_version,
  };
}

export function ownedImageFromRow(row: OwnedColumns): OwnedImage {
  return { ...catalogImageFromRow(row), space: row.space_name };
}
