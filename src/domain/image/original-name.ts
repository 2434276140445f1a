import { InvalidOriginalName } from '../errors.ts';

/** Bytes of UTF-8: the longest name that common file systems accept. */
export const ORIGINAL_NAME_MAX_BYTES = 255;

/**
 * Returns the last path segment of a name, without control characters; `undefined` if that is empty, `.` or `..`. The result is
 * data for people, never a path.
 *
 * @throws {InvalidOriginalName} if it is longer than 255 bytes
 */
export function parseOriginalName(sent: string): string | undefined {
  const segment = sent.split(/[/\\]/).at(-1) ?? '';
  const name = segment.replace(/\p{Cc}/gu, '');
  if (name === '' || name === '.' || name === '..') return undefined;
  if (utf8Length(name) > ORIGINAL_NAME_MAX_BYTES) throw new InvalidOriginalName(ORIGINAL_NAME_MAX_BYTES);
  return name;
}

/** Counts the bytes of a text in UTF-8 (RFC 3629, section 3). The domain has no `TextEncoder`. */
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
