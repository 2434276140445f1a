import { InvalidOriginalName } from '../errors.ts';

/** Longest original name in bytes of UTF-8: what common file systems take as a name. */
export const ORIGINAL_NAME_MAX_BYTES = 255;

/**
 * The name of an uploaded file as the catalog keeps it: the last path segment, as sent, without control characters.
 * `undefined` where nothing is left of it. It is data for people, never a path.
 *
 * @throws {InvalidOriginalName} where it is longer than 255 bytes
 */
export function parseOriginalName(sent: string): string | undefined {
  const segment = sent.split(/[/\\]/).at(-1) ?? '';
  const name = segment.replace(/\p{Cc}/gu, '');
  if (name === '' || name === '.' || name === '..') return undefined;
  if (utf8Length(name) > ORIGINAL_NAME_MAX_BYTES) throw new InvalidOriginalName(ORIGINAL_NAME_MAX_BYTES);
  return name;
}

/** Bytes that a text takes in UTF-8 (RFC 3629, section 3); the domain has no `TextEncoder`. */
export function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (codePoint < 0x80) length += 1;
    else if (codePoint < 0x800) length += 2;
    else length += codePoint < 0x10000 ? 3 : 4;
  }
  return length;
}
