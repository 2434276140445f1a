import type { InputFormat, MediaType } from './media-type.ts';

export function formatOf(mediaType: MediaType): InputFormat {
  return mediaType.slice('image/'.length) as InputFormat;
}
