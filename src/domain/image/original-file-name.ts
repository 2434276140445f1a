import type { NewImage } from './image.ts';
import type { MediaType } from './media-type.ts';
import { utf8Length } from './utf8-length.ts';

/** Bytes of UTF-8: the longest name that common file systems accept. */
export const ORIGINAL_NAME_MAX_BYTES = 255;

/** The usual extension first. `apng` is missing: it is registered for `image/apng`. */
export const EXTENSIONS: Readonly<Record<MediaType, readonly [string, ...string[]]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
};

/** Appends the right extension: an image named `x.html` must not be opened as a page. */
export function originalFileName({
  originalName,
  mediaType,
}: Pick<NewImage, 'originalName' | 'mediaType'>): string {
  const extensions = EXTENSIONS[mediaType];
  const extension = /(?<=.)\.([^.]*)$/s.exec(originalName)?.[1]?.toLowerCase() ?? '';
  return extensions.includes(extension) ? originalName : withExtension(originalName, extensions[0]);
}

/** File systems refuse names longer than 255 bytes. */
export function withExtension(base: string, extension: string): string {
  return `${cutToBytes(base, ORIGINAL_NAME_MAX_BYTES - 1 - extension.length)}.${extension}`;
}

/** The longest beginning of whole characters that has at most this many bytes of UTF-8. */
export function cutToBytes(text: string, bytes: number): string {
  let [end, left] = [0, bytes];
  for (const character of text) {
    left -= utf8Length(character);
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}
