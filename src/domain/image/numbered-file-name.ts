import type { Image } from './image.ts';
import { EXTENSIONS } from './original-file-name.ts';
import { CLEAN, type Derivative, renditionExtension } from './rendition.ts';

/** Says nothing about the picture, as the name of the upload may. */
export function numberedFileName({ id, mediaType }: Image, derivative: Derivative): string {
  const extension = derivative === CLEAN ? EXTENSIONS[mediaType][0] : renditionExtension(derivative.format);
  return `image-${id}.${extension}`;
}
