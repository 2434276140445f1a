import type { ImageMetadata, MetadataPatch } from '@image-catalog/client';

/** The metadata as it will be when the service has taken the patch. */
export function applyPatch(metadata: ImageMetadata, patch: MetadataPatch): ImageMetadata {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const patched = { ...metadata, ...(given as Partial<ImageMetadata>) };
  const captured = metadata.capture['takenAt'];
  return {
    ...patched,
    // A patch clears the tags by null.
    tags: patched.tags ?? [],
    // Without a time that a person has set, the time of the camera is shown.
    takenAt: patched.takenAt ?? (typeof captured === 'string' ? captured : null),
  };
}
