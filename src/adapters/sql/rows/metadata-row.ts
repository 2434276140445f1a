import type { Knex } from 'knex';
import { focusText } from '../../../domain/image/focus.ts';
import type { Image } from '../../../domain/image/image.ts';
import type { ImageMetadata } from '../../../domain/image/image-metadata.ts';
import {
  type Capture,
  type NewMetadata,
  NO_CAPTURE,
  NO_METADATA,
  takenAtOf,
} from '../../../domain/image/image-metadata.ts';
import type { Calendar } from '../../../domain/image/time/calendar.ts';
import { parseCaptureTime } from '../../../domain/image/time/parse-capture-time.ts';

import { focusIn, tagsIn } from './image-columns.ts';

export const METADATA_TABLE = 'image_metadata';

export interface MetadataRow {
  readonly image_id: number;
  /** Its id. */
  readonly space: number;
  readonly version: number;
  readonly title: string | null;
  readonly description: string | null;
  /** JSON array. */
  readonly tags: string | null;
  readonly taken_at: string | null;
  readonly own_taken_at: string | null;
  /** See `focusText`. */
  readonly focus: string | null;
  /** JSON object of what is known. */
  readonly capture: string | null;
  readonly taken_sort: number;
  readonly taken_day: number;
  /** Each with a blank in front; those of one field alone with its mark. */
  readonly words: string;
  readonly updated_at: number | null;
}

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
    title: metadata.title,
    description: metadata.description,
    tags: metadata.tags.length === 0 ? null : JSON.stringify(metadata.tags),
    taken_at: takenAtOf(metadata),
    own_taken_at: metadata.ownTakenAt,
    focus: metadata.focus && focusText(metadata.focus),
    capture: jsonOf(metadata.capture),
    taken_sort: takenSort,
    taken_day: calendar.dayOf(takenSort),
    words,
    updated_at: metadata.updatedAt?.getTime() ?? null,
  };
}

export function metadataFromRow(row: Omit<MetadataRow, 'image_id'>): ImageMetadata {
  return {
    title: row.title,
    description: row.description,
    tags: tagsIn(row.tags),
    ownTakenAt: row.own_taken_at,
    focus: focusIn(row.focus),
    capture: captureIn(row.capture),
    version: row.version,
    updatedAt: row.updated_at === null ? null : new Date(row.updated_at),
  };
}

/** By id of the image. */
export async function findMetadataRows(
  ids: readonly number[],
  connection: Knex,
): Promise<ReadonlyMap<number, MetadataRow>> {
  const rows: readonly MetadataRow[] = await connection(METADATA_TABLE).whereIn('image_id', [...ids]);
  return new Map(rows.map((row) => [row.image_id, row]));
}

export function initialMetadata(): ImageMetadata {
  return { ...NO_METADATA, version: 1, updatedAt: null };
}

export function captureIn(json: string | null): Capture {
  return json === null ? NO_CAPTURE : { ...NO_CAPTURE, ...(JSON.parse(json) as Partial<Capture>) };
}

function jsonOf(capture: Capture): string | null {
  const known = Object.entries(capture).filter(([, value]) => value !== null && value !== undefined);
  return known.length === 0 ? null : JSON.stringify(Object.fromEntries(known));
}
