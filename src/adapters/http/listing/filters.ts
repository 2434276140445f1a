import * as z from 'zod';
import {
  FILTER_ROWS,
  type FieldConditions,
  type FieldFilter,
  type FilterRow,
  rowOf,
  type WrittenRow,
} from '../../../domain/image/fields.ts';
import { MEDIA_TYPES } from '../../../domain/image/media-type.ts';
import { fold } from '../../../domain/image/words/fold.ts';
import { withoutOuterSpace } from '../../../domain/image/words/without-outer-space.ts';
import { searchWords } from '../../../domain/image/words/words.ts';
import type { SearchFilter } from '../../../domain/ports/records/image-search.ts';

const NOT_A_TIME = 'an RFC 3339 time';
const MAX_QUERY_LENGTH = 200;
const MAX_DEVICE_LENGTH = 100;
const MAX_TAGS_SEARCHED = 100;
const MAX_ACTOR_LENGTH = 255;
const ACTOR = `1 to ${MAX_ACTOR_LENGTH} characters, without NUL`;

/** RFC 3339, section 5.6. A "+" that was not percent-encoded arrives as a space. */
const time = z
  .string()
  .transform((text) => text.toUpperCase().replace(/ (?=\d\d:\d\d$)/, '+'))
  // zod also accepts times without seconds.
  .pipe(z.iso.datetime({ offset: true, error: NOT_A_TIME }).regex(/T\d\d:\d\d:\d\d/, NOT_A_TIME))
  .transform((text) => new Date(text));

const TIME = { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00Z'] };

function words(maxLength: number) {
  return z
    .string()
    .refine((text) => Array.from(text).length <= maxLength, `at most ${maxLength} characters`)
    .transform(searchWords)
    .refine((list) => list.length > 0, 'at least one word');
}

const onlyFalse = z.enum(['false'], 'false').transform((): false => false);

/** The conditions on fields, from the table. */
const FIELD_CONDITIONS = Object.fromEntries(
  FILTER_ROWS.map(([name, row]) => {
    const { schema, wire } = conditionSchema(row);
    const examples = row.example === undefined ? {} : { examples: [row.example] };
    return [name, schema.optional().meta({ description: row.description, wire: { ...wire, ...examples } })];
  }),
) as unknown as {
  readonly [Name in FieldFilter]: z.ZodOptional<z.ZodType<NonNullable<FieldConditions[Name]>, string>>;
};

function conditionSchema(row: FilterRow): { readonly schema: z.ZodType; readonly wire: object } {
  switch (row.by) {
    case 'words':
      return {
        schema: words(MAX_DEVICE_LENGTH),
        wire: { type: 'string', minLength: 1, maxLength: MAX_DEVICE_LENGTH },
      };
    case 'missing':
      return { schema: onlyFalse, wire: { type: 'boolean', const: false } };
    case 'atLeast':
      return numberCondition(rowOf(row.of));
  }
}

/** A condition on a number has the range of its field. */
export function numberCondition(row: WrittenRow): { readonly schema: z.ZodType; readonly wire: object } {
  if (row.kind !== 'number') throw new TypeError('A filter of numbers is on a field of another kind');
  const { min, max, isWhole } = row.range;
  const isInside = (value: number): boolean =>
    value >= min && value <= max && (!isWhole || Number.isInteger(value));
  const expected = `a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`;
  return {
    schema: z
      .string()
      .regex(/^-?\d{1,15}(\.\d{1,15})?$/, { error: expected, abort: true })
      .transform(Number)
      .refine(isInside, expected),
    wire: { type: isWhole ? 'integer' : 'number', minimum: min, maximum: max },
  };
}

const tags = z
  .string()
  .transform((text) => text.split(',').map(withoutOuterSpace))
  .refine(
    (list) => list.length <= MAX_TAGS_SEARCHED && list.every((tag) => tag !== ''),
    `at most ${MAX_TAGS_SEARCHED} tags, separated by commas`,
  )
  .transform((list) => [...new Set(list.map(fold))].sort());

/** The filters of the listing and of the timeline. All conditions must hold. */
export const FILTERS = {
  mediaType: z.enum(MEDIA_TYPES, MEDIA_TYPES.join(', ')).optional().describe('Images of this type.'),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, '64 hexadecimal digits')
    .toLowerCase()
    .optional()
    .describe('Images with these bytes.'),
  createdBy: z
    .string()
    // No database stores NUL.
    .refine(
      (text) => text !== '' && Array.from(text).length <= MAX_ACTOR_LENGTH && !text.includes('\0'),
      ACTOR,
    )
    .optional()
    .meta({
      description: 'Images whose `createdBy` is exactly this text.',
      wire: { type: 'string', minLength: 1, maxLength: MAX_ACTOR_LENGTH },
    }),
  createdAfter: time.optional().meta({ description: 'Later than this time; exclusive.', wire: TIME }),
  createdBefore: time.optional().meta({ description: 'Earlier than this time; exclusive.', wire: TIME }),
  q: words(MAX_QUERY_LENGTH)
    .optional()
    .meta({
      description:
        'Each word is the beginning of a word of the title, the description, the alternative text, the tags, the original name, the make or model of the camera, or the creator, without regard to case and accents. There are no operators.',
      wire: { type: 'string', minLength: 1, maxLength: MAX_QUERY_LENGTH, examples: ['black cat'] },
    }),
  tags: tags.optional().meta({
    description: 'Images that have all of these tags, without regard to case and accents.',
    wire: { type: 'string', examples: ['tabby,sofa'] },
    isList: true,
  }),
  takenAfter: time.optional().meta({
    description: 'Taken later than this time; exclusive. Images without a capture time do not match.',
    wire: TIME,
  }),
  takenBefore: time.optional().meta({
    description: 'Taken earlier than this time; exclusive. Images without a capture time do not match.',
    wire: TIME,
  }),
  ...FIELD_CONDITIONS,
} as const;

const filterQuery = z.object(FILTERS);

type FilterQuery = z.output<typeof filterQuery>;

const NAMES = Object.keys(FILTERS) as Array<keyof FilterQuery>;

/** Its conditions have a fixed order, whether they are set or not. */
export function filterOf(query: FilterQuery): SearchFilter {
  const { q, ...filter } = Object.fromEntries(NAMES.map((name) => [name, query[name]])) as FilterQuery;
  return { ...filter, words: q };
}
