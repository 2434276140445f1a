import type { ImageCatalog, ImageMetadata } from '@image-catalog/client';
import { hasCode } from '../base/has-code.ts';
import { forEachImage } from '../catalog/for-each-image.ts';
import type { Edit } from './edit.ts';
import type { Editable } from './inverse-of.ts';
import { undoEdit } from './undo-edit.ts';

export interface UndoOutcome {
  /** The metadata after it. */
  readonly undone: ReadonlyMap<number, ImageMetadata>;
  /** Pictures that others have changed since: they stay as they are. */
  readonly changed: number;
  /** Deleted meanwhile. */
  readonly missing: number;
  /** Not undone because of the error. */
  readonly left: ReadonlyMap<number, Editable>;
  readonly error: unknown;
}

/**
 * Undoes an edit of many pictures, some at a time. An error ends it early: an outage would fail each of the others, too.
 *
 * @param before what was there before the edit
 * @param onProgress called with the number of pictures that are done
 */
export async function undoEdits(
  catalog: Pick<ImageCatalog, 'edit' | 'metadata'>,
  edit: Edit,
  before: ReadonlyMap<number, Editable>,
  onProgress: (done: number) => void,
): Promise<UndoOutcome> {
  const left = new Map(before);
  const undone = new Map<number, ImageMetadata>();
  let [changed, missing]: [number, number] = [0, 0];
  let ended: unknown;

  async function undoOne(id: number): Promise<void> {
    const known = before.get(id);
    if (ended !== undefined || known === undefined) return;
    try {
      const metadata = await undoEdit(catalog, id, edit, known);
      if (metadata === undefined) changed += 1;
      else undone.set(id, metadata);
    } catch (error) {
      if (!hasCode(error, 'image_not_found')) {
        ended = error;
        return;
      }
      missing += 1;
    }
    left.delete(id);
    onProgress(before.size - left.size);
  }

  await forEachImage([...before.keys()], undoOne);
  return { undone, changed, missing, left, error: ended };
}
