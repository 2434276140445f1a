import { type FieldKind, rowOf, WRITTEN_ROWS, type WrittenField } from '../../../domain/image/fields.ts';
import { type Focus, focusText, parseFocusText } from '../../../domain/image/focus.ts';
import {
  type Capture,
  type ImageSummary,
  type KeptField,
  keptName,
  type NewMetadata,
  NO_CAPTURE,
  SUMMARY_FIELDS,
} from '../../../domain/image/image-metadata.ts';

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** The columns of `image_metadata` that hold what people write: one for each field, named like the field. */
export type FieldColumns = {
  readonly [Field in KeptField as SnakeCase<Field>]: NewMetadata[Field] extends number | null
    ? number | null
    : string | null;
};

/** How the JSON with which rows are written is cast. */
export type ColumnType<Value> = [NonNullable<Value>] extends [number]
  ? 'bigint' | 'double precision'
  : 'text';

export type ColumnTypes<Columns> = { readonly [Column in keyof Columns]: ColumnType<Columns[Column]> };

function columnName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Columns of the fields of a summary: see `ImageSummary`. */
export type SummaryColumns = {
  readonly [Field in SummaryField as SnakeCase<Field>]: ImageSummary[Field] extends number | null
    ? number | null
    : string | null;
};

type SummaryField = Exclude<keyof ImageSummary, 'metadataVersion'>;

export const SUMMARY_COLUMNS = SUMMARY_FIELDS.map(columnName);

/** The column that says whether an image has a value for the field, whoever has set it. */
export function shownColumn(field: WrittenField): string {
  return columnName(field);
}

const FIELD_COLUMNS = WRITTEN_ROWS.map(([field, { kind }]) => ({
  field,
  kind,
  name: keptName(field),
  column: columnName(keptName(field)),
}));

export const FIELD_COLUMN_TYPES = Object.fromEntries(
  FIELD_COLUMNS.map(({ field, column }) => [column, columnTypeOf(field)]),
) as Readonly<Record<string, string>> as ColumnTypes<FieldColumns>;

function columnTypeOf(field: WrittenField): ColumnType<number> | ColumnType<string> {
  const row = rowOf(field);
  if (row.kind !== 'number') return 'text';
  return row.range.isWhole ? 'bigint' : 'double precision';
}

export function fieldColumnsOf(metadata: NewMetadata): FieldColumns {
  const columns: Record<string, unknown> = {};
  for (const { kind, name, column } of FIELD_COLUMNS) columns[column] = stored(kind, metadata[name]);
  return columns as FieldColumns;
}

function stored(kind: FieldKind, value: unknown): unknown {
  switch (kind) {
    case 'text':
    case 'number':
    case 'time':
      return value;
    case 'tags':
      return textOfTags(value as readonly string[]);
    case 'focus':
      return value === null ? null : focusText(value as Focus);
  }
}

export function fieldsIn(columns: FieldColumns): Omit<NewMetadata, 'capture'> {
  const row = columns as Readonly<Record<string, string | number | null>>;
  const fields: Record<string, unknown> = {};
  for (const { kind, name, column } of FIELD_COLUMNS) fields[name] = read(kind, row[column] ?? null);
  return fields as Omit<NewMetadata, 'capture'>;
}

function read(kind: FieldKind, value: string | number | null): unknown {
  switch (kind) {
    case 'text':
    case 'number':
    case 'time':
      return value;
    case 'tags':
      return tagsIn(value as string | null);
    case 'focus':
      return focusIn(value as string | null);
  }
}

function textOfTags(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags);
}

const NO_TAGS: readonly string[] = [];

export function tagsIn(json: string | null): readonly string[] {
  return json === null ? NO_TAGS : (JSON.parse(json) as readonly string[]);
}

export function focusIn(text: string | null): Focus | null {
  return text === null ? null : (parseFocusText(text) ?? null);
}

/** The file's fields are one JSON object of what is known; null: nothing is known. */
export function textOfCapture(capture: Capture): string | null {
  const known = Object.entries(capture).filter(([, value]) => value !== null && value !== undefined);
  return known.length === 0 ? null : JSON.stringify(Object.fromEntries(known));
}

export function captureIn(json: string | null): Capture {
  return json === null ? NO_CAPTURE : { ...NO_CAPTURE, ...(JSON.parse(json) as Partial<Capture>) };
}
