import { UnsupportedMediaType } from '../errors.ts';
import { fileKindOf } from './file-kind-of.ts';
import type { MediaType } from './media-type.ts';
import { mediaTypeOf } from './media-type-of.ts';

/**
 * Reads the first bytes, never the name.
 *
 * @throws {UnsupportedMediaType} if the file is none of the accepted types
 */
export function acceptedTypeOf(head: Uint8Array, accepted: readonly MediaType[]): MediaType {
  const mediaType = mediaTypeOf(head);
  if (mediaType !== undefined && accepted.includes(mediaType)) return mediaType;
  throw new UnsupportedMediaType(fileKindOf(head), accepted);
}
