import type { ImageMetadata, MetadataPatch } from '@image-catalog/client';

export function applyPatch(metadata: ImageMetadata, patch: MetadataPatch): ImageMetadata {
  const { title = metadata.title, description = metadata.description, tags = metadata.tags } = patch;
  const { takenAt = metadata.takenAt } = patch;
  const captured = metadata.capture['takenAt'];
  return {
    ...metadata,
    title,
    description,
    tags: tags ?? [],
    // Cleared: back to that of the camera.
    takenAt: takenAt ?? (typeof captured === 'string' ? captured : null),
    ...(patch.focus !== undefined && { focus: patch.focus }),
  };
}
