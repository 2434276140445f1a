import { Model } from 'objection';
import { parseBlobKey } from '../../../domain/image/blob-key.ts';
import type { CatalogImage, Image, NewImage } from '../../../domain/image/image.ts';
import { JOIN_METADATA, SUMMARY_COLUMNS, type SummaryColumns, tagsIn } from '../search/metadata-row.ts';

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

export interface CatalogColumns extends ImageColumns, SummaryColumns {}

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
