import { type ImageMetadata, type ImageSummary, SUMMARY_FIELDS, takenAtOf } from './image-metadata.ts';

export function summaryOf(metadata: ImageMetadata): ImageSummary {
  const shown = { ...metadata, takenAt: takenAtOf(metadata) };
  const fields = Object.fromEntries(SUMMARY_FIELDS.map((field) => [field, shown[field]]));
  return { ...(fields as Omit<ImageSummary, 'metadataVersion'>), metadataVersion: metadata.version };
}
