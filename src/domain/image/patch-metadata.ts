import type { MetadataPatch, NewMetadata } from './image-metadata.ts';

/** @param patch as `checkPatch` returns it */
export function patchMetadata<T extends NewMetadata>(
  metadata: T,
  { takenAt: ownTakenAt, tags, ...others }: MetadataPatch,
): T {
  const changes = { ...others, ownTakenAt, tags: tags === null ? [] : tags };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...metadata, ...Object.fromEntries(given) };
}
