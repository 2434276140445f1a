/**
 * The table of fields: what people write about an image, what its file says, and the filters on both.
 *
 * Each field is one row. From the row follow its type, its column, its place in views, patches and bulk edits, the OpenAPI document, the
 * types of the client, export and import, and what the tests generate. CONTRIBUTING.md ("Add a field") says what else a new field needs,
 * such as its migration.
 */

/** What a field can hold. Each layer knows the kinds, not the fields. */
export type FieldKind = 'text' | 'number' | 'tags' | 'time' | 'focus';

interface FieldRow {
  readonly kind: FieldKind;
  /** For people who read the API; shown with the values that the service sends. */
  readonly description?: string;
}

export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
}

/** A field that clients write. */
export type WrittenRow = FieldRow & {
  /** Whether `q` finds the words of the field. */
  readonly isSearched?: boolean;
  /** Whether the record of an image shows the field, or only its metadata. */
  readonly isInRecord?: boolean;
  /** Whether the bulk edit sets the field to one value in many images. */
  readonly isEditedInBulk?: boolean;
  /** What a client should know who writes the field. */
  readonly writing?: string;
  /** Of the cat of the demo, in the OpenAPI document. */
  readonly example: unknown;
} & (
    | {
        readonly kind: 'text';
        /** Code points, counted after NFC and without white space at the ends. */
        readonly maxLength: number;
        /** Whether line feeds are allowed. */
        readonly hasLines?: boolean;
        /** Whether the empty text is a value, and blanks alone mean it; otherwise they are refused. */
        readonly mayBeEmpty?: boolean;
      }
    /** Both ends of the range are allowed. */
    | { readonly kind: 'number'; readonly range: NumberRange }
    | { readonly kind: 'tags' | 'time' | 'focus' }
  );

/** What people write, in the order of the views. The name is the one that clients use. */
export const WRITTEN_FIELDS = {
  title: {
    kind: 'text',
    maxLength: 200,
    isSearched: true,
    isInRecord: true,
    isEditedInBulk: true,
    example: 'Chelsea',
  },
  description: {
    kind: 'text',
    maxLength: 5_000,
    hasLines: true,
    isSearched: true,
    isEditedInBulk: true,
    example: null,
  },
  alt: {
    kind: 'text',
    maxLength: 500,
    mayBeEmpty: true,
    isSearched: true,
    isInRecord: true,
    isEditedInBulk: true,
    description:
      'What the picture says, for people who do not see it. Empty: it is decorative, and screen readers should skip it. Null: nobody has written one.',
    writing: 'On one line, at most 500 characters. Empty: the picture is decorative.',
    example: 'A tabby cat looks up from a sofa',
  },
  tags: {
    kind: 'tags',
    isSearched: true,
    isInRecord: true,
    description: 'Without twins, sorted without regard to case and accents.',
    writing: 'Replaced as a whole.',
    example: ['sofa', 'tabby'],
  },
  takenAt: {
    kind: 'time',
    isInRecord: true,
    description:
      'When the image was taken: RFC 3339 with milliseconds, without an offset if the offset of the camera is unknown.',
    writing: 'RFC 3339 with seconds, with or without an offset. Null: back to that of the camera.',
    example: null,
  },
  focus: {
    kind: 'focus',
    description:
      'The point that crops (`fit=cover`) keep, in fractions of the width and the height of the upright picture. Null: the middle.',
    writing: 'The point that crops keep. Replaced as a whole. Null: they keep the middle.',
    example: { x: 0.5, y: 0.25 },
  },
} as const satisfies Readonly<Record<string, WrittenRow>>;

/** A field that only the file says. */
export interface CaptureRow extends FieldRow {
  readonly kind: 'text' | 'number' | 'time';
  /** Whether `q` finds the words of the field. */
  readonly isSearched?: boolean;
  /** Of positions: signed degrees up to this bound. Missing unless the catalog stores positions (`METADATA_GPS`). */
  readonly maxDegrees?: number;
  /** Marks a text that people wrote into the file, which is null unless the catalog stores such texts (`METADATA_TEXTS`). Code points. */
  readonly maxLength?: number;
}

/** Code points of a text about the rights in a picture. */
const MAX_CREDIT_LENGTH = 500;

const POSITION = 'Signed degrees; only if the catalog stores positions.';

/** What the file says. Clients never write these; all of them are stored together, as JSON. */
export const CAPTURE_FIELDS = {
  takenAt: { kind: 'time', description: WRITTEN_FIELDS.takenAt.description },
  make: { kind: 'text', isSearched: true },
  model: { kind: 'text', isSearched: true },
  lens: { kind: 'text' },
  iso: { kind: 'number' },
  fNumber: { kind: 'number' },
  exposureSeconds: { kind: 'number' },
  focalLengthMm: { kind: 'number' },
  latitude: { kind: 'number', maxDegrees: 90, description: POSITION },
  longitude: { kind: 'number', maxDegrees: 180, description: POSITION },
  creator: {
    kind: 'text',
    maxLength: MAX_CREDIT_LENGTH,
    isSearched: true,
    description: 'Who made the picture; several names are joined by a comma.',
  },
  copyright: { kind: 'text', maxLength: MAX_CREDIT_LENGTH },
  credit: { kind: 'text', maxLength: MAX_CREDIT_LENGTH, description: 'The line to print with the picture.' },
  usageTerms: {
    kind: 'text',
    maxLength: MAX_CREDIT_LENGTH,
    description: 'How the picture may be used, or the address of a page that says so.',
  },
} as const satisfies Readonly<Record<string, CaptureRow>>;

export type WrittenField = keyof typeof WRITTEN_FIELDS;
export type CaptureField = keyof typeof CAPTURE_FIELDS;

/** The rows without their names: for code that treats all fields of a kind alike. */
export const WRITTEN_ROWS: ReadonlyArray<readonly [WrittenField, WrittenRow]> = Object.entries<WrittenRow>(
  WRITTEN_FIELDS,
) as Array<[WrittenField, WrittenRow]>;

export function rowOf(field: WrittenField): WrittenRow {
  return WRITTEN_FIELDS[field];
}

export const CAPTURE_ROWS: ReadonlyArray<readonly [CaptureField, CaptureRow]> = Object.entries(
  CAPTURE_FIELDS,
) as Array<[CaptureField, CaptureRow]>;

/** A condition on fields, in the listing and in the timeline. */
export type FilterRow = { readonly description: string; readonly example?: string } & (
  | {
      /** Each word of the condition begins a word of one of the fields. */
      readonly by: 'words';
      readonly of: readonly CaptureField[];
      /** Written before the words of these fields in the search index. One character that no word begins with, and no other filter has. */
      readonly mark: string;
    }
  /** Images in which the field has no value. Needs an index of `image_metadata` on (space, image_id) where the column is null. */
  | { readonly by: 'missing'; readonly of: WrittenField }
  /** Images in which the number is at least that of the condition. */
  | { readonly by: 'atLeast'; readonly of: WrittenField }
);

/** By the name of the query parameter. */
export const FIELD_FILTERS = {
  camera: {
    by: 'words',
    of: ['make', 'model'],
    mark: '@',
    description: 'Each word is the beginning of a word of the make or model of the camera, as in `q`.',
    example: 'nikon d3500',
  },
  lens: {
    by: 'words',
    of: ['lens'],
    mark: '#',
    description: 'Each word is the beginning of a word of the lens, as in `q`.',
    example: '50mm',
  },
  tagged: { by: 'missing', of: 'tags', description: '`false`: images without tags.' },
  dated: { by: 'missing', of: 'takenAt', description: '`false`: images without a capture time.' },
  alt: { by: 'missing', of: 'alt', description: '`false`: images for which nobody has written `alt`.' },
} as const satisfies Readonly<Record<string, FilterRow>>;

export type FieldFilter = keyof typeof FIELD_FILTERS;

export const FILTER_ROWS = Object.entries<FilterRow>(FIELD_FILTERS) as ReadonlyArray<
  readonly [FieldFilter, FilterRow]
>;

/** Filters whose words have a mark in the search index. */
export const WORD_FILTERS = FILTER_ROWS.flatMap(([, row]) => (row.by === 'words' ? [row] : []));

interface ConditionByKind {
  /** Folded, as `searchWords` returns them. */
  readonly words: readonly string[];
  readonly missing: false;
  readonly atLeast: number;
}

/** All conditions must hold; a missing one leaves every image. */
export type FieldConditions = {
  readonly [Filter in FieldFilter]?: ConditionByKind[(typeof FIELD_FILTERS)[Filter]['by']] | undefined;
};

/** Whether a condition of the table is set. */
export function hasConditions(conditions: FieldConditions): boolean {
  return FILTER_ROWS.some(([name]) => conditions[name] !== undefined);
}

type RowsBy<Kind extends FilterRow['by']> = ReadonlyArray<
  { readonly name: FieldFilter; readonly condition: ConditionByKind[Kind] } & Extract<FilterRow, { by: Kind }>
>;

/** The conditions of one kind that are set, each with its row. */
export function conditionsBy<Kind extends FilterRow['by']>(
  kind: Kind,
  conditions: FieldConditions,
): RowsBy<Kind> {
  return FILTER_ROWS.flatMap(([name, row]) => {
    const condition = conditions[name];
    return row.by === kind && condition !== undefined ? [{ name, condition, ...row }] : [];
  }) as unknown as RowsBy<Kind>;
}
