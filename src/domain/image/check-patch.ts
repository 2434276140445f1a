import { InvalidMetadata } from '../errors.ts';
import { WRITTEN_ROWS, type WrittenRow } from './fields.ts';
import { parseFocus } from './focus.ts';
import type { MetadataPatch } from './image-metadata.ts';
import { formatCaptureTime } from './time/capture-time.ts';
import { parseCaptureTime } from './time/parse-capture-time.ts';
import { hasMoreMarks } from './words/marks.ts';
import { MAX_TAGS, mergeTags, TAG_MAX_LENGTH } from './words/tags.ts';
import { withoutOuterSpace } from './words/without-outer-space.ts';

const PAGE_TITLE_MAX_LENGTH = 100;

/**
 * Values in the form in which they are stored. Fields that clients cannot write are ignored.
 *
 * @param fields values of any type
 * @throws {InvalidMetadata}
 */
export function checkPatch(fields: Readonly<Record<string, unknown>>): MetadataPatch {
  const given = WRITTEN_ROWS.flatMap(([field, row]) => {
    const value = fields[field];
    return value === undefined ? [] : [[field, value === null ? null : parseField(field, row, value)]];
  });
  return Object.fromEntries(given) as MetadataPatch;
}

/**
 * A value that is not null, in the form in which it is stored.
 *
 * @throws {InvalidMetadata}
 */
export function parseField(field: string, row: WrittenRow, value: unknown): unknown {
  switch (row.kind) {
    case 'text':
      return parseWrittenText(requireText(value, field), field, row);
    case 'number':
      return parseNumber(value, field, row);
    case 'tags':
      return parseTags(requireTexts(value, field), field);
    case 'time':
      return parseTime(requireText(value, field), field);
    case 'focus':
      return parseFocus(value);
  }
}

function requireText(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw new InvalidMetadata(field, 'must be text or null');
}

function requireTexts(value: unknown, field: string): readonly string[] {
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value;
  throw new InvalidMetadata(field, 'must be an array of texts, or null');
}

/** @throws {InvalidMetadata} */
export function parseTags(tags: readonly string[], field: string): readonly string[] {
  const parsed = mergeTags(tags.map((tag) => parseTag(tag, field)));
  if (parsed.length > MAX_TAGS) throw new InvalidMetadata(field, `may have at most ${MAX_TAGS} tags`);
  return parsed;
}

function parseTag(text: string, field: string): string {
  if (text.includes(',')) throw new InvalidMetadata(field, 'may not contain commas');
  return parseText(text, field, { maxLength: TAG_MAX_LENGTH });
}

/** The title of a page that shows images. */
export function parsePageTitle(text: string | null): string | null {
  return text === null ? null : parseText(text, 'pageTitle', { maxLength: PAGE_TITLE_MAX_LENGTH });
}

type RowOf<Kind extends WrittenRow['kind']> = Extract<WrittenRow, { readonly kind: Kind }>;

function parseWrittenText(text: string, field: string, row: RowOf<'text'>): string {
  if (row.hasLines !== true) return parseText(text, field, row);
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  for (const line of lines) requirePrintable(line, field);
  return trim(lines.join('\n'), field, row);
}

function parseNumber(value: unknown, field: string, { range }: RowOf<'number'>): number {
  const { min, max, isWhole } = range;
  const isInside = typeof value === 'number' && value >= min && value <= max;
  if (isInside && (!isWhole || Number.isInteger(value))) return value;
  throw new InvalidMetadata(
    field,
    `must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}, or null`,
  );
}

function parseTime(text: string, field: string): string {
  const time = parseCaptureTime(text);
  if (time === undefined) {
    throw new InvalidMetadata(
      field,
      'must be an RFC 3339 time of the years 0001 to 9999, with or without offset',
    );
  }
  return formatCaptureTime(time);
}

type TextRule = Pick<RowOf<'text'>, 'maxLength' | 'mayBeEmpty'>;

/** Characters are code points, counted after NFC and without white space at the ends. */
function parseText(text: string, field: string, rule: TextRule): string {
  requirePrintable(text, field);
  return trim(text, field, rule);
}

function requirePrintable(text: string, field: string): void {
  if (/\p{Cc}/u.test(text)) throw new InvalidMetadata(field, 'may not contain control characters');
  if (/\p{Cs}/u.test(text)) throw new InvalidMetadata(field, 'may not contain lone surrogates');
}

function trim(text: string, field: string, { maxLength, mayBeEmpty = false }: TextRule): string {
  const result = hasMoreMarks(text, maxLength) ? text : withoutOuterSpace(text.normalize('NFC'));
  if (result === '' && !mayBeEmpty) throw new InvalidMetadata(field, 'may not be blank');
  if (Array.from(result).length > maxLength) {
    throw new InvalidMetadata(field, `may have at most ${maxLength} characters`);
  }
  return result;
}
