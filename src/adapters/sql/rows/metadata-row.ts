import type { Knex } from 'knex';
import type { Image } from '../../../domain/image/image.ts';
import {
  type ImageMetadata,
  type NewMetadata,
  NO_METADATA,
  takenAtOf,
} from '../../../domain/image/image-metadata.ts';
import type { Calendar } from '../../../domain/image/time/calendar.ts';
import { parseCaptureTime } from '../../../domain/image/time/parse-capture-time.ts';
import { RowModel } from '../database/row-model.ts';
import {
  type ColumnTypes,
  captureIn,
  FIELD_COLUMN_TYPES,
  type FieldColumns,
  fieldColumnsOf,
  fieldsIn,
  textOfCapture,
} from './field-columns.ts';

export const METADATA_TABLE = 'image_metadata';

/** One row for each image: the columns of the fields that people write, and what follows from them. */
export interface MetadataRow extends FieldColumns {
  readonly image_id: number;
  /** The id of the space. */
  readonly space: number;
  readonly version: number;
  /** The time that is shown: set by a person, or else the camera's. */
  readonly taken_at: string | null;
  /** See `textOfCapture`. */
  readonly capture: string | null;
  /** Ms since 1970 of `taken_at`, or else of the upload. */
  readonly taken_sort: number;
  /** YYYYMMDD of `taken_sort` in the time zone of the catalog. */
  readonly taken_day: number;
  /** Each word with a space in front; the words of a filter's fields also have its mark. */
  readonly words: string;
  /** Ms since 1970. */
  readonly updated_at: number | null;
}

/** Postgres takes numbers from JSON only where a cast says so: the compiler requires it here for each numeric column. */
export const METADATA_COLUMN_TYPES: ColumnTypes<MetadataRow> = {
  image_id: 'bigint',
  space: 'bigint',
  version: 'bigint',
  ...FIELD_COLUMN_TYPES,
  taken_at: 'text',
  capture: 'text',
  taken_sort: 'bigint',
  taken_day: 'bigint',
  words: 'text',
  updated_at: 'bigint',
};

/** What the metadata needs to know of its image. */
export interface DescribedRecord extends Pick<Image, 'id' | 'originalName' | 'createdAt'> {
  readonly spaceId: number;
}

/** Ms since 1970. */
export function takenSortOf(
  { createdAt }: DescribedRecord,
  metadata: NewMetadata,
  calendar: Calendar,
): number {
  const takenAt = takenAtOf(metadata);
  const taken = takenAt === null ? undefined : parseCaptureTime(takenAt);
  return taken === undefined ? createdAt.getTime() : calendar.instantOf(taken);
}

export function metadataRowOf(
  record: DescribedRecord,
  metadata: ImageMetadata,
  words: string,
  calendar: Calendar,
): MetadataRow {
  const takenSort = takenSortOf(record, metadata, calendar);
  return {
    image_id: record.id,
    space: record.spaceId,
    version: metadata.version,
    ...fieldColumnsOf(metadata),
    taken_at: takenAtOf(metadata),
    capture: textOfCapture(metadata.capture),
    taken_sort: takenSort,
    taken_day: calendar.dayOf(takenSort),
    words,
    updated_at: metadata.updatedAt?.getTime() ?? null,
  };
}

export function metadataFromRow(row: Omit<MetadataRow, 'image_id'>): ImageMetadata {
  return {
    ...fieldsIn(row),
    capture: captureIn(row.capture),
    version: row.version,
    updatedAt: row.updated_at === null ? null : new Date(row.updated_at),
  };
}

/** The model of the table. Uploads, changes and listings keep their measured statements: see ADR 73. */
class MetadataModel extends RowModel {
  static override readonly tableName = METADATA_TABLE;
  static override readonly idColumn = 'image_id';
}

/** By id of the image. */
export async function findMetadataRows(
  ids: readonly number[],
  connection: Knex,
): Promise<ReadonlyMap<number, MetadataRow>> {
  const rows = await MetadataModel.query(connection)
    .findByIds([...ids])
    .castTo<MetadataRow[]>();
  return new Map(rows.map((row) => [row.image_id, row]));
}

export function initialMetadata(): ImageMetadata {
  return { ...NO_METADATA, version: 1, updatedAt: null };
}
