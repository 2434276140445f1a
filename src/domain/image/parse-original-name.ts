import { InvalidOriginalName } from '../errors.ts';
import { ORIGINAL_NAME_MAX_BYTES } from './original-file-name.ts';
import { utf8Length } from './utf8-length.ts';

/**
 * The last path segment without control characters; `undefined` if that is empty, `.` or `..`. Half of a surrogate pair, which
 * `filename*` can carry in UTF-16, becomes U+FFFD, as in every database.
 *
 * @throws {InvalidOriginalName}
 */
export function parseOriginalName(sent: string): string | undefined {
  const segment = sent.split(/[/\\]/).at(-1) ?? '';
  const name = segment.replace(/\p{Cc}/gu, '').replace(/\p{Cs}/gu, '\uFFFD');
  if (name === '' || name === '.' || name === '..') return undefined;
  if (utf8Length(name) > ORIGINAL_NAME_MAX_BYTES) throw new InvalidOriginalName(ORIGINAL_NAME_MAX_BYTES);
  return name;
}
