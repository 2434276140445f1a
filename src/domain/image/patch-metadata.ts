import { WRITTEN_ROWS } from './fields.ts';
import { emptyValue, keptName, type MetadataPatch, type NewMetadata } from './image-metadata.ts';

/** @param patch as `checkPatch` returns it */
export function patchMetadata<T extends NewMetadata>(metadata: T, patch: MetadataPatch): T {
  const given = WRITTEN_ROWS.flatMap(([field]) => {
    const value = patch[field];
    return value === undefined ? [] : [[keptName(field), value ?? emptyValue(field)]];
  });
  return { ...metadata, ...Object.fromEntries(given) };
}
