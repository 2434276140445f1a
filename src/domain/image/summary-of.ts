import { type ImageMetadata, type ImageSummary, takenAtOf } from './image-metadata.ts';

export function summaryOf(metadata: ImageMetadata): ImageSummary {
  const { title, tags, focus, version } = metadata;
  return { title, tags, takenAt: takenAtOf(metadata), focus, metadataVersion: version };
}
