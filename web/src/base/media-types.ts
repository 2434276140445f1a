import type { ImageRecord } from '@image-catalog/client';

export type MediaType = ImageRecord['mediaType'];

/** As `inputFormats` of the configuration has them. */
export type InputFormat = 'jpeg' | 'png' | 'webp' | 'gif';

export const FORMAT_NAMES: Readonly<Record<InputFormat, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  gif: 'GIF',
};

export const MEDIA_TYPES: readonly MediaType[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

export function formatMediaType(mediaType: MediaType): string {
  return FORMAT_NAMES[mediaType.slice('image/'.length) as InputFormat];
}
