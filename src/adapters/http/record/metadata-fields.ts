import * as z from 'zod';
import {
  CAPTURE_ROWS,
  type CaptureRow,
  rowOf,
  WRITTEN_ROWS,
  type WrittenField,
  type WrittenRow,
} from '../../../domain/image/fields.ts';
import {
  type Capture,
  RECORD_FIELDS,
  type RecordField,
  type WrittenValue,
} from '../../../domain/image/image-metadata.ts';
import { MAX_TAGS } from '../../../domain/image/words/tags.ts';

/** The schemas of values that the service sends, from the table of fields. */

const TAKEN_AT = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d)?$';

const fraction = z.number().meta({ minimum: 0, maximum: 1, description: 'At most three decimals.' });

const time = z.string().nullable().meta({ pattern: TAKEN_AT });

/** Keys of `meta` whose value is `undefined` would stand in the document. */
function described<Schema extends z.ZodType>(
  schema: Schema,
  { description }: { description?: string },
): Schema {
  return description === undefined ? schema : schema.meta({ ...schema.meta(), description });
}

function schemaOf(row: WrittenRow): z.ZodType {
  switch (row.kind) {
    case 'text':
      return z.string().nullable().meta({ maxLength: row.maxLength });
    case 'number':
      return (row.range.isWhole ? z.int() : z.number())
        .nullable()
        .meta({ minimum: row.range.min, maximum: row.range.max });
    case 'tags':
      return z.array(z.string()).meta({ maxItems: MAX_TAGS });
    case 'time':
      return time;
    case 'focus':
      return z.object({ x: fraction, y: fraction }).nullable();
  }
}

type SchemasOf<Fields extends WrittenField> = {
  readonly [Field in Fields]: z.ZodType<WrittenValue<Field>>;
};

function schemasOf(fields: readonly WrittenField[]): unknown {
  return Object.fromEntries(fields.map((field) => [field, described(schemaOf(rowOf(field)), rowOf(field))]));
}

/** Of all fields that people write, in the order of the table. */
export const writtenFields = schemasOf(WRITTEN_ROWS.map(([field]) => field)) as SchemasOf<WrittenField>;

/** Of the fields that the record of an image shows. */
export const recordFields = schemasOf(RECORD_FIELDS) as SchemasOf<RecordField>;

function captureSchema({ kind, maxDegrees }: CaptureRow): z.ZodType {
  if (maxDegrees !== undefined) return z.number().optional();
  if (kind === 'time') return time;
  return kind === 'text' ? z.string().nullable() : z.number().nullable();
}

/** Of what the file says. */
export const captureFields = Object.fromEntries(
  CAPTURE_ROWS.map(([field, row]) => [field, described(captureSchema(row), row)]),
) as unknown as { readonly [Field in keyof Capture]-?: z.ZodType<Capture[Field]> };
