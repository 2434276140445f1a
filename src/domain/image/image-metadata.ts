import {
  type CAPTURE_FIELDS,
  CAPTURE_ROWS,
  type CaptureField,
  WRITTEN_FIELDS,
  WRITTEN_ROWS,
  type WrittenField,
} from './fields.ts';
import type { Focus } from './focus.ts';

export interface ValueOfKind {
  readonly text: string | null;
  readonly number: number | null;
  /** Without twins, sorted by fold. */
  readonly tags: readonly string[];
  /** In the form of `formatCaptureTime`. */
  readonly time: string | null;
  readonly focus: Focus | null;
}

export type WrittenValue<Field extends WrittenField> = ValueOfKind[(typeof WRITTEN_FIELDS)[Field]['kind']];

type PositionField = 'latitude' | 'longitude';

/** What the file says: values of the camera, and credits. Positions are missing unless the catalog stores them. */
export type Capture = {
  readonly [Field in Exclude<
    CaptureField,
    PositionField
  >]: ValueOfKind[(typeof CAPTURE_FIELDS)[Field]['kind']];
} & { readonly [Field in PositionField]?: number | undefined };

export const NO_CAPTURE = Object.freeze(
  Object.fromEntries(
    CAPTURE_ROWS.filter(([, row]) => row.maxDegrees === undefined).map(([field]) => [field, null]),
  ),
) as Readonly<Partial<Capture>> as Capture;

/** The field in which a time that a person has set is kept apart from the time of the camera. */
const OWN_TIME = 'ownTakenAt';

/** The name under which the catalog keeps a field that clients write. */
export type KeptField = Exclude<WrittenField, 'takenAt'> | typeof OWN_TIME;

export function keptName(field: WrittenField): KeptField {
  return field === 'takenAt' ? OWN_TIME : field;
}

/**
 * What people write about an image, and what the camera did. `ownTakenAt` was set by a person; if it is null, the time of the
 * camera counts.
 */
export type NewMetadata = {
  readonly [Field in WrittenField as Field extends 'takenAt' ? typeof OWN_TIME : Field]: WrittenValue<Field>;
} & { readonly capture: Capture };

export type ImageMetadata = NewMetadata & {
  /** 1 at upload; rises by 1 with every change. */
  readonly version: number;
  /** Null until the first change. */
  readonly updatedAt: Date | null;
};

/** A field that the record of an image shows. */
export type RecordField = {
  [Field in WrittenField]: (typeof WRITTEN_FIELDS)[Field] extends { readonly isInRecord: true }
    ? Field
    : never;
}[WrittenField];

/** What is known of each image that is found: the fields that its record shows, and what crops of it keep. */
export type ImageSummary = { readonly [Field in RecordField]: WrittenValue<Field> } & {
  readonly focus: Focus | null;
  readonly metadataVersion: number;
};

export const RECORD_FIELDS = WRITTEN_ROWS.flatMap(([field, { isInRecord }]) =>
  isInRecord === true ? [field] : [],
) as readonly RecordField[];

/** The names of the fields of a summary. */
export const SUMMARY_FIELDS: readonly WrittenField[] = [...RECORD_FIELDS, 'focus'];

const EMPTY: ValueOfKind = Object.freeze({
  text: null,
  number: null,
  tags: Object.freeze([]),
  time: null,
  focus: null,
});

/** Of an image about which nobody has written anything. */
export const NO_METADATA = Object.freeze({
  ...Object.fromEntries(WRITTEN_ROWS.map(([field, { kind }]) => [keptName(field), EMPTY[kind]])),
  capture: NO_CAPTURE,
}) as Readonly<Partial<NewMetadata>> as NewMetadata;

/** `null` clears: `takenAt` goes back to the time of the camera, `focus` to the middle. A missing field stays. */
export type MetadataPatch = {
  readonly [Field in WrittenField]?: WrittenValue<Field> | null | undefined;
};

/** The value of a field that nobody has written, or that a patch has cleared. */
export function emptyValue(field: WrittenField): ValueOfKind[keyof ValueOfKind] {
  return EMPTY[WRITTEN_FIELDS[field].kind];
}

export function takenAtOf({ ownTakenAt, capture }: NewMetadata): string | null {
  return ownTakenAt ?? capture.takenAt;
}

/** What a file says about its image. */
export interface EmbeddedMetadata {
  readonly capture: Capture;
  /** As `keywordTags` returns them. */
  readonly keywords: readonly string[];
  /** What people wrote into the file, in the form in which it is stored; null or missing if the file says nothing. */
  readonly texts?: EmbeddedTexts | undefined;
}

/** The texts that an upload takes from its file unless it sets them. */
export const EMBEDDED_TEXTS = ['title', 'description', 'alt'] as const;

export type EmbeddedTexts = Partial<Pick<NewMetadata, (typeof EMBEDDED_TEXTS)[number]>>;

export const NOTHING_EMBEDDED: EmbeddedMetadata = Object.freeze({
  capture: NO_CAPTURE,
  keywords: Object.freeze([]),
});
