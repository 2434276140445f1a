import type { NewImage } from './image.ts';
import type { MediaType } from './media-type.ts';
import { ORIGINAL_NAME_MAX_BYTES, utf8Length } from './original-name.ts';

/** The usual extension first. `apng` is missing: it is registered for `image/apng`. */
const EXTENSIONS: Readonly<Record<MediaType, readonly [string, ...string[]]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
};

/** Appends the right extension: an image named `x.html` must not be opened as a page. */
export function originalFileName({ originalName, mediaType }: NewImage): string {
  const extensions = EXTENSIONS[mediaType];
  const extension = /(?<=.)\.([^.]*)$/s.exec(originalName)?.[1]?.toLowerCase() ?? '';
  return extensions.includes(extension) ? originalName : withExtension(originalName, extensions[0]);
}

/** File systems refuse names longer than 255 bytes. */
export function withExtension(base: string, extension: string): string {
  let cut = base;
  while (utf8Length(cut) + 1 + extension.length > ORIGINAL_NAME_MAX_BYTES) cut = cut.replace(/.$/su, '');
  return `${cut}.${extension}`;
}
