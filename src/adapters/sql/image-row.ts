import { Model } from 'objection';
import { parseBlobKey } from '../../domain/image/blob-key.ts';
import type { Image, NewImage } from '../../domain/image/image.ts';
import type { MediaType } from '../../domain/image/media-type.ts';

/** A row of `images`. Bound to a Knex per container with `bindKnex`; there is no global connection. */
export class ImageRow extends Model {
  static override readonly tableName = 'images';

  // Postgres hands 64-bit integers over as text.
  declare id: number | string;
  declare uuid: string;
  declare original_name: string;
  declare media_type: MediaType;
  declare size: number | string;
  declare width: number;
  declare height: number;
  declare sha256: string;
  declare thumbhash: string;
  declare created_at: number | string;
}

export type ImageColumns = Pick<
  ImageRow,
  | 'id'
  | 'uuid'
  | 'original_name'
  | 'media_type'
  | 'size'
  | 'width'
  | 'height'
  | 'sha256'
  | 'thumbhash'
  | 'created_at'
>;

/** What is known of an image before it is recorded. */
export function columnsOf(image: NewImage): Omit<ImageColumns, 'id' | 'created_at'> {
  return {
    uuid: image.uuid,
    original_name: image.originalName,
    media_type: image.mediaType,
    size: image.size,
    width: image.width,
    height: image.height,
    sha256: image.sha256,
    thumbhash: image.thumbhash,
  };
}

export function imageFromRow(row: ImageColumns): Image {
  return {
    id: Number(row.id),
    uuid: parseBlobKey(row.uuid),
    originalName: row.original_name,
    mediaType: row.media_type,
    size: Number(row.size),
    width: row.width,
    height: row.height,
    sha256: row.sha256,
    thumbhash: row.thumbhash,
    createdAt: new Date(Number(row.created_at)),
  };
}
