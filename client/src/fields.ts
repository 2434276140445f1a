// Written by `npm run openapi` from the table of fields of the service, src/domain/image/fields.ts. Change it there.

/** The point of a picture that its crops keep. */
export interface Focus {
  /** Fractions of the width and the height, from 0 to 1, with at most three decimals. */
  readonly x: number;
  readonly y: number;
}

/** What people write about an image. */
export interface WrittenFields {
  readonly title: string | null;
  readonly description: string | null;
  /** What the picture says, for people who do not see it. Empty: it is decorative, and screen readers should skip it. Null: nobody has written one. */
  readonly alt: string | null;
  /** Without twins, sorted without regard to case and accents. */
  readonly tags: readonly string[];
  /** When the image was taken: RFC 3339 with milliseconds, without an offset if the offset of the camera is unknown. */
  readonly takenAt: string | null;
  /** The point that crops (`fit=cover`) keep, in fractions of the width and the height of the upright picture. Null: the middle. */
  readonly focus: Focus | null;
}

/** Fields that the record of an image shows. */
export type RecordField = 'title' | 'alt' | 'tags' | 'takenAt';

/** A change of what people write. `null` clears a field; a missing field stays. */
export interface MetadataPatch {
  readonly title?: string | null;
  readonly description?: string | null;
  /** On one line, at most 500 characters. Empty: the picture is decorative. */
  readonly alt?: string | null;
  /** Replaced as a whole. */
  readonly tags?: readonly string[] | null;
  /** RFC 3339 with seconds, with or without an offset. Null: back to that of the camera. */
  readonly takenAt?: string | null;
  /** The point that crops keep. Replaced as a whole. Null: they keep the middle. */
  readonly focus?: Focus | null;
}

/** Fields that an edit of many images sets to one value. */
export type BulkField = 'title' | 'description' | 'alt';

/** Conditions on fields. All of them must hold. */
export interface FieldFilters {
  /** Each word is the beginning of a word of the make or model of the camera, as in `q`. */
  readonly camera?: string;
  /** Each word is the beginning of a word of the lens, as in `q`. */
  readonly lens?: string;
  /** `false`: images without tags. */
  readonly tagged?: false;
  /** `false`: images without a capture time. */
  readonly dated?: false;
  /** `false`: images for which nobody has written `alt`. */
  readonly alt?: false;
}
