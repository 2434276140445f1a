import * as z from 'zod';
import { rowOf, WRITTEN_ROWS, type WrittenField, type WrittenRow } from '../../../domain/image/fields.ts';
import type { MetadataPatch } from '../../../domain/image/image-metadata.ts';
import { BULK_FIELDS, type BulkField, type EditRequest, SHIFT } from '../../../domain/image/metadata-edit.ts';
import { IMAGE_ID, imageIds } from '../request/image-ids.ts';

const TEXT = 'text or null';
const TAG = 'text';
const TAGS = 'an array of texts';
const FOCUS = 'x and y, or null';
const PATCH = 'an object';
const FRACTION = 'a number from 0 to 1';

/** The type of a field alone: the domain checks the value. */
function schemaOf({ kind, example }: WrittenRow): z.ZodType {
  switch (kind) {
    case 'text':
    case 'time':
      return z.string(TEXT).nullable();
    case 'number':
      return z.number('a number or null').nullable();
    case 'tags':
      return z.array(z.string(TAG), `${TAGS}, or null`).nullable();
    case 'focus':
      return z
        .strictObject({ x: z.number(FRACTION), y: z.number(FRACTION) }, FOCUS)
        .nullable()
        .meta({ examples: [example] });
  }
}

type PatchSchemas<Fields extends WrittenField> = {
  readonly [Field in Fields]: z.ZodOptional<z.ZodType<Exclude<MetadataPatch[Field], undefined>>>;
};

function optional(field: WrittenField, writing: string | undefined): z.ZodType {
  const schema = schemaOf(rowOf(field)).optional();
  return writing === undefined ? schema : schema.meta({ ...schema.meta(), description: writing });
}

const patchFields = Object.fromEntries(
  WRITTEN_ROWS.map(([field, { writing }]) => [field, optional(field, writing)]),
) as unknown as PatchSchemas<WrittenField>;

export const metadataPatch = z.strictObject(patchFields, PATCH);

const bulkFields = Object.fromEntries(
  BULK_FIELDS.map((field) => [field, optional(field, 'Null clears.')]),
) as unknown as PatchSchemas<BulkField>;

const tagList = z.array(z.string(TAG), TAGS).optional();

export const editBody = z
  .strictObject({
    ids: imageIds(z.int(IMAGE_ID).min(1, IMAGE_ID)),
    ...bulkFields,
    addTags: tagList.describe('Added after the removals.'),
    removeTags: tagList,
    shiftTaken: z
      .string('text')
      .optional()
      .meta({
        description:
          'A sign and an ISO 8601 duration of days, hours, minutes and seconds, at most 36,500 days: moves the time at which each picture was taken, and keeps its offset. Images without a time stay as they are.',
        wire: { type: 'string', pattern: SHIFT },
        examples: ['-PT1H30M'],
      }),
  })
  .refine(hasChange, {
    path: ['addTags'],
    message: `not empty, or there must be removeTags, ${BULK_FIELDS.join(', ')} or shiftTaken`,
  });

function hasChange({ addTags = [], removeTags = [], shiftTaken, ...fields }: EditRequest): boolean {
  const isGiven = [shiftTaken, ...BULK_FIELDS.map((field) => fields[field])].some(
    (value) => value !== undefined,
  );
  return isGiven || addTags.length + removeTags.length > 0;
}
