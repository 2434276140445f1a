import type { ImageCatalog, ImageMetadata } from '@image-catalog/client';
import { hasCode } from '../base/has-code.ts';
import type { Edit } from './edit.ts';
import { type Editable, inverseOf } from './inverse-of.ts';

/** Others may edit the same picture at the same time. */
const ATTEMPTS = 4;

/**
 * Undoes the edit of one picture, under the condition that it is as the edit left it.
 *
 * @returns the metadata after it; `undefined` if others have changed the picture since, which stays as it is
 */
export async function undoEdit(
  catalog: Pick<ImageCatalog, 'edit' | 'metadata'>,
  id: number,
  edit: Edit,
  before: Editable,
): Promise<ImageMetadata | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const present = await catalog.metadata(id);
    const patch = inverseOf(edit, before, present);
    if (patch === undefined || Object.keys(patch).length === 0) return patch && present;
    try {
      return { ...present, ...(await catalog.edit(id, patch, { ifMatch: present.etag })) };
    } catch (error) {
      if (!hasCode(error, 'precondition_failed')) throw error;
    }
  }
  return undefined;
}
