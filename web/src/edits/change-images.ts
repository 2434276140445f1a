import { CatalogError, type ImageCatalog } from '@image-catalog/client';
import type { Edit } from './edit.ts';
import { shiftDuration } from './shift-duration.ts';

export interface ChangeOutcome {
  readonly updated: readonly number[];
  /** Deleted meanwhile. */
  readonly missing: readonly number[];
  /** They would have too many tags. */
  readonly refused: readonly number[];
  /** Not changed because of the error. */
  readonly left: readonly number[];
  readonly error: unknown;
}

/** Pictures in one request, of which the service changes all or none. */
const BATCH = 500;

/**
 * Further requests that find the pictures whose tags are too many: the service refuses a whole batch for one of them.
 * 9 find one of 500.
 */
const MAX_SPLITS = 60;

/**
 * Changes all these pictures, but not those that would have too many tags. An error ends it early.
 *
 * @param onProgress called with the number of pictures that are done
 */
export async function changeImages(
  catalog: Pick<ImageCatalog, 'editMany'>,
  ids: readonly number[],
  { shiftMinutes, ...edit }: Edit,
  onProgress?: (done: number) => void,
): Promise<ChangeOutcome> {
  const change = shiftMinutes === undefined ? edit : { ...edit, shiftTaken: shiftDuration(shiftMinutes) };
  const [updated, missing, refused]: [number[], number[], number[]] = [[], [], []];
  let waiting = batchesOf(ids, BATCH);
  let splits = 0;
  for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
    const half = Math.ceil(batch.length / 2);
    try {
      const edited = await catalog.editMany(batch, change);
      updated.push(...edited.updated);
      missing.push(...edited.missing);
    } catch (error) {
      if (isTooLarge(error) && batch.length > 1) {
        waiting = batchesOf([batch, ...waiting].flat(), half);
        continue;
      }
      if (!hasTooManyTags(error)) {
        return { updated, missing, refused, left: [batch, ...waiting].flat(), error };
      }
      if (batch.length === 1 || splits === MAX_SPLITS) refused.push(...batch);
      else {
        splits += 1;
        waiting.unshift(...batchesOf(batch, half));
      }
    }
    onProgress?.(updated.length + missing.length + refused.length);
  }
  return { updated, missing, refused, left: [], error: undefined };
}

function batchesOf(ids: readonly number[], size: number): Array<readonly number[]> {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}

/** The limit is on pictures times words: a long text leaves room for fewer pictures. */
function isTooLarge(error: unknown): boolean {
  return error instanceof CatalogError && error.status === 413;
}

/** The service has no code of its own for it: contract, section 9. */
function hasTooManyTags(error: unknown): boolean {
  return (
    error instanceof CatalogError &&
    error.status === 400 &&
    /"addTags".* more than \d+ tags/.test(error.message)
  );
}
