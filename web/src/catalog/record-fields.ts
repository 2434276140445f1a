import type { ImageMetadata, RecordField } from '@image-catalog/client';

/** The fields of the metadata that the record of an image shows as well. A new one does not compile until it is here. */
export function recordFields({
  title,
  alt,
  tags,
  takenAt,
}: Pick<ImageMetadata, RecordField>): Pick<ImageMetadata, RecordField> {
  return { title, alt, tags, takenAt };
}
