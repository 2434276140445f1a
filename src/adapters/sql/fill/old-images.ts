import type { Knex } from 'knex';
import type { Capture } from '../../../domain/image/metadata.ts';
import type { Calendar } from '../../../domain/image/time/calendar.ts';
import { foldTag } from '../../../domain/image/words/tags.ts';
import { indexWords } from '../../../domain/image/words/words.ts';

/** As in the tables of version 0008 of the schema. */
interface OldRecord {
  readonly id: number;
  readonly uuid: string;
  readonly original_name: string;
  readonly media_type: string;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly sha256: string;
  readonly thumbhash: string;
  readonly created_at: number;
}

interface OldMetadata {
  readonly image_id: number;
  readonly version: number;
  readonly title: string | null;
  readonly description: string | null;
  readonly tags: string | null;
  readonly taken_at: string | null;
  readonly own_taken_at: string | null;
  readonly capture: string | null;
  readonly taken_sort: number;
  readonly taken_day: number;
  readonly words: string;
  readonly updated_at: number | null;
}

/** A row, for JSON. */
export type Values = ReadonlyArray<string | number | null>;

/** What the tables with spaces hold of an image. */
export interface FilledImage {
  readonly id: number;
  /** In the order of `IMAGE_COLUMNS`. */
  readonly record: Values;
  /** In the order of `METADATA_COLUMNS`. */
  readonly metadata: Values;
  /** As the index holds them. */
  readonly words: readonly string[];
  /** Folded. */
  readonly tags: readonly string[];
  readonly takenDay: number;
}

export type Columns = ReadonlyArray<
  readonly [name: string, type: 'bigint' | 'integer' | 'text' | 'uuid' | 'bytes']
>;

/** UUIDs and bytes in hex. */
export const IMAGE_COLUMNS: Columns = [
  ['id', 'bigint'],
  ['size', 'bigint'],
  ['created_at', 'bigint'],
  ['width', 'integer'],
  ['height', 'integer'],
  ['media_type', 'integer'],
  ['blob_uuid', 'uuid'],
  ['sha256', 'bytes'],
  ['thumbhash_bytes', 'bytes'],
  ['original_name', 'text'],
];

export const METADATA_COLUMNS: Columns = [
  ['image_id', 'bigint'],
  ['taken_sort', 'bigint'],
  ['updated_at', 'bigint'],
  ['version', 'integer'],
  ['taken_day', 'integer'],
  ['title', 'text'],
  ['description', 'text'],
  ['tags', 'text'],
  ['taken_at', 'text'],
  ['own_taken_at', 'text'],
  ['capture', 'text'],
  ['words', 'text'],
];

/** Of WebP and GIF there are none in catalogs of that version. */
const MEDIA_TYPES: readonly string[] = ['image/jpeg', 'image/png'];

const INDEXED_LENGTH = 64;

export async function oldImagesAfter(
  id: number,
  limit: number,
  connection: Knex,
  calendar: Calendar,
): Promise<readonly FilledImage[]> {
  const query = connection('images').where('id', '>', id).orderBy('id').limit(limit);
  return await described(await query, connection, calendar);
}

/** Without those that are not there. */
export async function oldImagesAmong(
  ids: readonly number[],
  connection: Knex,
  calendar: Calendar,
): Promise<readonly FilledImage[]> {
  const query = connection('images').whereIn('id', [...ids]);
  return await described(await query, connection, calendar);
}

async function described(
  records: readonly OldRecord[],
  connection: Knex,
  calendar: Calendar,
): Promise<readonly FilledImage[]> {
  const rows: readonly OldMetadata[] = await connection('image_metadata').whereIn(
    'image_id',
    records.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.image_id, row]));
  return records.map((record) => filledFrom(record, byId.get(record.id) ?? unknown(record, calendar)));
}

/** Of an image that was recorded before there were metadata. */
function unknown({ id, original_name, created_at }: OldRecord, calendar: Calendar): OldMetadata {
  return {
    image_id: id,
    version: 1,
    title: null,
    description: null,
    tags: null,
    taken_at: null,
    own_taken_at: null,
    capture: null,
    taken_sort: created_at,
    taken_day: calendar.dayOf(created_at),
    words: asColumn([...indexWords([original_name])]),
    updated_at: null,
  };
}

function filledFrom(record: OldRecord, metadata: OldMetadata): FilledImage {
  const words = [...wordsIn(metadata.words), ...cameraWords(metadata.capture)];
  const row = { ...metadata, words: asColumn(words) };
  return {
    id: record.id,
    record: recordValues(record),
    metadata: METADATA_COLUMNS.map(([name]) => row[name as keyof OldMetadata]),
    words: indexedWords(words),
    tags: tagsIn(metadata.tags),
    takenDay: metadata.taken_day,
  };
}

function recordValues(record: OldRecord): Values {
  const row = {
    ...record,
    media_type: MEDIA_TYPES.indexOf(record.media_type) + 1,
    blob_uuid: record.uuid.replaceAll('-', ''),
    thumbhash_bytes: Buffer.from(record.thumbhash, 'base64').toString('hex'),
  };
  return IMAGE_COLUMNS.map(([name]) => row[name as keyof typeof row]);
}

function cameraWords(capture: string | null): readonly string[] {
  const { make, model, lens } = JSON.parse(capture ?? '{}') as Partial<Capture>;
  const texts = (some: ReadonlyArray<string | null | undefined>): readonly string[] => [
    ...indexWords(some.filter((text) => typeof text === 'string')),
  ];
  return [...texts([make, model]).map((word) => `@${word}`), ...texts([lens]).map((word) => `#${word}`)];
}

/** As the row has them: each with a space in front. */
export function wordsIn(column: string): readonly string[] {
  return column === '' ? [] : column.slice(1).split(' ');
}

function asColumn(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join('');
}

/** The index has the beginnings of long words. */
export function indexedWords(words: readonly string[]): readonly string[] {
  return [...new Set(words.map((word) => Array.from(word).slice(0, INDEXED_LENGTH).join('')))];
}

/** Folded. */
export function tagsIn(column: string | null): readonly string[] {
  return column === null ? [] : (JSON.parse(column) as readonly string[]).map(foldTag);
}
