import type { EmbeddedMetadata, ImageMetadata, NewMetadata } from './image-metadata.ts';

/** What a file that is read again changes. Its keywords are for images that have no tags and were never changed. */
export function recaptureMetadata(
  metadata: ImageMetadata,
  { capture, keywords }: EmbeddedMetadata,
): NewMetadata {
  const isUntouched = metadata.updatedAt === null && metadata.tags.length === 0;
  return { ...metadata, capture, ...(isUntouched && { tags: keywords }) };
}
