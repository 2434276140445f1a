import { InvalidMetadata, type MetadataField } from '../errors.ts';
import { type Focus, parseFocus } from './focus.ts';
import { formatCaptureTime } from './time/capture-time.ts';
import { parseCaptureTime } from './time/parse-capture-time.ts';
import { MAX_TAGS, mergeTags, TAG_MAX_LENGTH } from './words/tags.ts';
import { withoutOuterSpace } from './words/without-outer-space.ts';

/** Code points. */
export const TITLE_MAX_LENGTH = 200;

export const DESCRIPTION_MAX_LENGTH = 5_000;
const PAGE_TITLE_MAX_LENGTH = 100;

/** What the camera wrote into the file. */
export interface Capture {
  /** In the form of `formatCaptureTime`. */
  readonly takenAt: string | null;
  readonly make: string | null;
  readonly model: string | null;
  readonly lens: string | null;
  readonly iso: number | null;
  readonly fNumber: number | null;
  readonly exposureSeconds: number | null;
  readonly focalLengthMm: number | null;
  /** Signed degrees; missing unless the catalog stores positions. */
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

export const NO_CAPTURE: Capture = Object.freeze({
  takenAt: null,
  make: null,
  model: null,
  lens: null,
  iso: null,
  fNumber: null,
  exposureSeconds: null,
  focalLengthMm: null,
});

/** What people write about an image, and what the camera did. */
export interface NewMetadata {
  readonly title: string | null;
  readonly description: string | null;
  /** Without twins, sorted by fold. */
  readonly tags: readonly string[];
  /** Set by a person; null if the camera's time counts. In the form of `formatCaptureTime`. */
  readonly ownTakenAt: string | null;
  /** What crops keep; null: the middle. */
  readonly focus: Focus | null;
  readonly capture: Capture;
}

export interface ImageMetadata extends NewMetadata {
  /** 1 at upload; rises by 1 with every change. */
  readonly version: number;
  /** Null until the first change. */
  readonly updatedAt: Date | null;
}

/** What is known of each image that is found. */
export interface ImageSummary extends Pick<NewMetadata, 'title' | 'tags' | 'focus'> {
  readonly takenAt: string | null;
  readonly metadataVersion: number;
}

export const NO_METADATA: NewMetadata = Object.freeze({
  title: null,
  description: null,
  tags: Object.freeze([]),
  ownTakenAt: null,
  focus: null,
  capture: NO_CAPTURE,
});

/** `null` clears, for `takenAt` back to the camera's, for `focus` to the middle; what is missing stays. */
export type MetadataPatch = {
  readonly [Field in 'title' | 'description' | 'tags' | 'focus']?: NewMetadata[Field] | null | undefined;
} & { readonly takenAt?: string | null | undefined };

export function takenAtOf({ ownTakenAt, capture }: NewMetadata): string | null {
  return ownTakenAt ?? capture.takenAt;
}

type PatchField = keyof MetadataPatch;

/** Take values of any type. */
const PARSERS: { readonly [Field in PatchField]: (value: unknown) => MetadataPatch[Field] } = {
  title: (value) => parseText(textOf(value, 'title'), 'title', TITLE_MAX_LENGTH),
  description: (value) => parseDescription(textOf(value, 'description')),
  tags: (value) => parseTags(textsOf(value, 'tags'), 'tags'),
  takenAt: (value) => parseTakenAt(textOf(value, 'takenAt')),
  focus: parseFocus,
};

/**
 * Values in the form in which they are stored. Other fields are ignored.
 *
 * @throws {InvalidMetadata}
 */
export function checkPatch(fields: Readonly<Partial<Record<PatchField, unknown>>>): MetadataPatch {
  const given = Object.entries(PARSERS).flatMap(([name, parse]) => {
    const value = fields[name as PatchField];
    return value === undefined ? [] : [[name, value === null ? null : parse(value)]];
  });
  return Object.fromEntries(given) as MetadataPatch;
}

function textOf(value: unknown, field: PatchField): string {
  if (typeof value === 'string') return value;
  throw new InvalidMetadata(field, 'must be text or null');
}

function textsOf(value: unknown, field: PatchField): readonly string[] {
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value;
  throw new InvalidMetadata(field, 'must be an array of texts, or null');
}

/** What a file says about its image. */
export interface EmbeddedMetadata {
  readonly capture: Capture;
  /** As `keywordTags` returns them. */
  readonly keywords: readonly string[];
}

export const NOTHING_EMBEDDED: EmbeddedMetadata = Object.freeze({
  capture: NO_CAPTURE,
  keywords: Object.freeze([]),
});

/** @throws {InvalidMetadata} */
export function parseTags(tags: readonly string[], field: MetadataField): readonly string[] {
  const parsed = mergeTags(tags.map((tag) => parseTag(tag, field)));
  if (parsed.length > MAX_TAGS) throw new InvalidMetadata(field, `may have at most ${MAX_TAGS} tags`);
  return parsed;
}

function parseTag(text: string, field: MetadataField): string {
  if (text.includes(',')) throw new InvalidMetadata(field, 'may not contain commas');
  return parseText(text, field, TAG_MAX_LENGTH);
}

/** The title of a page that shows images. */
export function parsePageTitle(text: string | null): string | null {
  return text === null ? null : parseText(text, 'pageTitle', PAGE_TITLE_MAX_LENGTH);
}

function parseDescription(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  for (const line of lines) requirePrintable(line, 'description');
  return trim(lines.join('\n'), 'description', DESCRIPTION_MAX_LENGTH);
}

function parseTakenAt(text: string): string {
  const time = parseCaptureTime(text);
  if (time === undefined) {
    throw new InvalidMetadata(
      'takenAt',
      'must be an RFC 3339 time of the years 0001 to 9999, with or without offset',
    );
  }
  return formatCaptureTime(time);
}

/** Characters are code points, counted after NFC and without white space at the ends. */
function parseText(text: string, field: MetadataField, maxLength: number): string {
  requirePrintable(text, field);
  return trim(text, field, maxLength);
}

function requirePrintable(text: string, field: MetadataField): void {
  if (/\p{Cc}/u.test(text)) throw new InvalidMetadata(field, 'may not contain control characters');
  if (/\p{Cs}/u.test(text)) throw new InvalidMetadata(field, 'may not contain lone surrogates');
}

function trim(text: string, field: MetadataField, maxLength: number): string {
  const result = hasMoreMarks(text, maxLength) ? text : withoutOuterSpace(text.normalize('NFC'));
  if (result === '') throw new InvalidMetadata(field, 'may not be blank');
  if (Array.from(result).length > maxLength) {
    throw new InvalidMetadata(field, `may have at most ${maxLength} characters`);
  }
  return result;
}

/** Normalizing takes quadratic time in the length of a run of marks. A letter takes up three marks at most. */
function hasMoreMarks(text: string, maxLength: number): boolean {
  return (text.match(/(?<=\p{M}{3})\p{M}/gu)?.length ?? 0) > maxLength;
}
