import { InvalidMetadata, type MetadataField } from '../errors.ts';
import { type Focus, focusText, parseFocus } from './focus.ts';
import { formatCaptureTime, parseCaptureTime } from './time/capture-time.ts';
import { withoutOuterSpace } from './words/fold.ts';
import { MAX_TAGS, mergeTags, TAG_MAX_LENGTH } from './words/tags.ts';

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

export const NO_METADATA: NewMetadata = Object.freeze({
  title: null,
  description: null,
  tags: Object.freeze([]),
  ownTakenAt: null,
  focus: null,
  capture: NO_CAPTURE,
});

/** What is known of each image that is found. */
export interface ImageSummary {
  readonly title: string | null;
  readonly tags: readonly string[];
  readonly takenAt: string | null;
  readonly focus: Focus | null;
  readonly metadataVersion: number;
}

export function summaryOf(metadata: ImageMetadata): ImageSummary {
  const { title, tags, focus, version } = metadata;
  return { title, tags, takenAt: takenAtOf(metadata), focus, metadataVersion: version };
}

/** All texts under whose words an image is found. */
export function searchableTexts(
  originalName: string,
  { title, description, tags, capture }: NewMetadata,
): readonly string[] {
  const texts = [originalName, title, description, ...tags, capture.make, capture.model];
  return texts.filter((text) => text !== null);
}

/** Whether both say the same; versions and times of changes do not count. */
export function saysTheSame(one: NewMetadata, other: NewMetadata): boolean {
  return JSON.stringify(contentOf(one)) === JSON.stringify(contentOf(other));
}

function contentOf({
  title,
  description,
  tags,
  ownTakenAt,
  focus,
  capture,
}: NewMetadata): readonly unknown[] {
  const { takenAt, make, model, lens, iso, fNumber, exposureSeconds, focalLengthMm, latitude, longitude } =
    capture;
  const numbers = [iso, fNumber, exposureSeconds, focalLengthMm, latitude, longitude];
  const point = focus && focusText(focus);
  return [title, description, tags, ownTakenAt, point, takenAt, make, model, lens, ...numbers];
}

/** `null` clears, for `takenAt` back to the camera's, for `focus` to the middle; what is missing stays. */
export interface MetadataPatch {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  readonly takenAt?: string | null | undefined;
  readonly focus?: Focus | null | undefined;
}

/**
 * From fields of unknown types; other fields are ignored.
 *
 * @throws {InvalidMetadata}
 */
export function patchOf(fields: Readonly<Record<string, unknown>>): MetadataPatch {
  return checkPatch({
    title: textIn(fields, 'title'),
    description: textIn(fields, 'description'),
    tags: textsIn(fields, 'tags'),
    takenAt: textIn(fields, 'takenAt'),
    focus: focusIn(fields['focus']),
  });
}

function textIn(fields: Readonly<Record<string, unknown>>, name: MetadataField): string | null | undefined {
  const value = fields[name];
  if (value === undefined || value === null || typeof value === 'string') return value;
  throw new InvalidMetadata(name, 'must be text or null');
}

function textsIn(
  fields: Readonly<Record<string, unknown>>,
  name: MetadataField,
): readonly string[] | null | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return value;
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value;
  throw new InvalidMetadata(name, 'must be an array of texts, or null');
}

function focusIn(value: unknown): Focus | null | undefined {
  return value === undefined || value === null ? value : parseFocus(value);
}

export function takenAtOf({ ownTakenAt, capture }: NewMetadata): string | null {
  return ownTakenAt ?? capture.takenAt;
}

/**
 * Values in the form in which they are stored.
 *
 * @throws {InvalidMetadata}
 */
export function checkPatch({ title, description, tags, takenAt, focus }: MetadataPatch): MetadataPatch {
  return {
    ...(title !== undefined && { title: title === null ? null : parseTitle(title) }),
    ...(description !== undefined && {
      description: description === null ? null : parseDescription(description),
    }),
    ...(tags !== undefined && { tags: parseTags(tags ?? [], 'tags') }),
    ...(takenAt !== undefined && { takenAt: takenAt === null ? null : parseTakenAt(takenAt) }),
    ...(focus !== undefined && { focus: focusIn(focus) }),
  };
}

/** @param patch as `checkPatch` returns it */
export function patchMetadata<T extends NewMetadata>(
  metadata: T,
  { title, description, tags, takenAt, focus }: MetadataPatch,
): T {
  return {
    ...metadata,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags: tags ?? [] }),
    ...(takenAt !== undefined && { ownTakenAt: takenAt }),
    ...(focus !== undefined && { focus }),
  };
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

/** What a new image begins with. Tags of the upload replace the keywords of the file. */
export function uploadedMetadata(
  { capture, keywords }: EmbeddedMetadata,
  patch: MetadataPatch = {},
): NewMetadata {
  return patchMetadata({ ...NO_METADATA, capture, tags: keywords }, patch);
}

/** For a file that is read again. Keywords are for images that have no tags and were never changed. */
export function recaptureMetadata(
  metadata: ImageMetadata,
  { capture, keywords }: EmbeddedMetadata,
): NewMetadata {
  const isUntouched = metadata.updatedAt === null && metadata.tags.length === 0;
  return { ...metadata, capture, ...(isUntouched && { tags: keywords }) };
}

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

function parseTitle(text: string): string {
  return parseText(text, 'title', TITLE_MAX_LENGTH);
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
