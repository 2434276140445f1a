import { Model } from 'objection';
import { parseBlobKey } from '../../../domain/image/blob-key.ts';
import type { CatalogImage, Image, NewImage } from '../../../domain/image/image.ts';
import type { ImageSummary } from '../../../domain/image/metadata.ts';

/** Needs `bindKnex`: there is no global connection. */
export class ImageRow extends Model {
  static override readonly tableName = 'images';

  declare id: number;
  declare uuid: string;
}

/** The only list of columns: types, statements and batches follow from it. */
const RECORDED = {
  uuid: (image: NewImage) => image.uuid,
  original_name: (image: NewImage) => image.originalName,
  media_type: (image: NewImage) => image.mediaType,
  size: (image: NewImage): number => image.size,
  width: (image: NewImage) => image.width,
  height: (image: NewImage) => image.height,
  sha256: (image: NewImage) => image.sha256,
  thumbhash: (image: NewImage) => image.thumbhash,
};

type RecordedColumns = {
  readonly [Name in keyof typeof RECORDED]: ReturnType<(typeof RECORDED)[Name]>;
};

export interface ImageColumns extends RecordedColumns {
  readonly id: number;
  readonly created_at: number;
}

/** Columns of a joined row; all null if the image has no metadata yet. */
export interface SummaryColumns {
  readonly metadata_version: number | null;
  readonly title: string | null;
  readonly tags: string | null;
  readonly taken_at: string | null;
}

/** The names differ from all others of the record. */
export const SUMMARY_COLUMNS: readonly string[] = [
  'image_metadata.version as metadata_version',
  'image_metadata.title',
  'image_metadata.tags',
  'image_metadata.taken_at',
];

export const JOIN_METADATA = 'left join image_metadata on image_metadata.image_id = images.id';

export interface CatalogColumns extends ImageColumns, SummaryColumns {}

/** UUIDs that no image is recorded under any more. */
export const SWEPT_BLOBS = 'swept_blobs';

export const IMAGE_COLUMNS: readonly string[] = ['id', ...Object.keys(RECORDED), 'created_at'];

/** A prepared statement with an asterisk fails after a migration adds a column. */
export const CATALOG_COLUMNS: readonly string[] = [
  ...IMAGE_COLUMNS.map((name) => `images.${name}`),
  ...SUMMARY_COLUMNS,
];

export const SELECT_CATALOG_IMAGES = `select ${CATALOG_COLUMNS.join(', ')} from images ${JOIN_METADATA}`;

export function columnsOf(image: NewImage): RecordedColumns {
  const entries = Object.entries(RECORDED).map(([name, valueOf]) => [name, valueOf(image)]);
  return Object.fromEntries(entries) as RecordedColumns;
}

export function imageFromRow(row: ImageColumns): Image {
  return {
    id: row.id,
    uuid: parseBlobKey(row.uuid),
    originalName: row.original_name,
    mediaType: row.media_type,
    size: row.size,
    width: row.width,
    height: row.height,
    sha256: row.sha256,
    thumbhash: row.thumbhash,
    createdAt: new Date(row.created_at),
  };
}

export function catalogImageFromRow(row: CatalogColumns): CatalogImage {
  // One literal: spreading two objects takes three times as long, for each row of a listing.
  return {
    id: row.id,
    uuid: parseBlobKey(row.uuid),
    originalName: row.original_name,
    mediaType: row.media_type,
    size: row.size,
    width: row.width,
    height: row.height,
    sha256: row.sha256,
    thumbhash: row.thumbhash,
    createdAt: new Date(row.created_at),
    title: row.title,
    tags: tagsIn(row.tags),
    takenAt: row.taken_at,
    metadataVersion: row.metadata_version ?? 1,
  };
}

/** For engines that have a faster way. */
export interface ImageReads {
  /** In no order. */
  findAllById(ids: readonly number[]): Promise<readonly CatalogColumns[]>;
}

export function summaryFromRow({ title, tags, taken_at, metadata_version }: SummaryColumns): ImageSummary {
  return { title, tags: tagsIn(tags), takenAt: taken_at, metadataVersion: metadata_version ?? 1 };
}

const NO_TAGS: readonly string[] = [];

export function tagsIn(json: string | null): readonly string[] {
  return json === null ? NO_TAGS : (JSON.parse(json) as readonly string[]);
}
