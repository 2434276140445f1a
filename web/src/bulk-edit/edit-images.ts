import { type BulkEdit, CatalogError, type ImageCatalog } from '@image-catalog/client';

export interface EditOutcome {
  readonly updated: readonly number[];
  /** Deleted meanwhile. */
  readonly missing: readonly number[];
  /** Not changed because of the error. */
  readonly left: readonly number[];
  readonly error: unknown;
}

/** Pictures in one request, of which the service changes all or none. */
const BATCH = 500;

/** An error ends it early. @param onProgress called with the number of pictures that are done */
export async function editImages(
  catalog: Pick<ImageCatalog, 'editMany'>,
  ids: readonly number[],
  change: BulkEdit,
  onProgress: (done: number) => void,
): Promise<EditOutcome> {
  const [updated, missing]: [number[], number[]] = [[], []];
  let waiting = ids;
  let size = BATCH;
  while (waiting.length > 0) {
    const batch = waiting.slice(0, size);
    try {
      const edited = await catalog.editMany(batch, change);
      updated.push(...edited.updated);
      missing.push(...edited.missing);
    } catch (error) {
      // The limit is on pictures times words: a long text leaves room for fewer pictures.
      const isTooLarge = error instanceof CatalogError && error.status === 413;
      if (!isTooLarge || batch.length === 1) return { updated, missing, left: waiting, error };
      size = Math.ceil(batch.length / 2);
      continue;
    }
    waiting = waiting.slice(batch.length);
    onProgress(ids.length - waiting.length);
  }
  return { updated, missing, left: [], error: undefined };
}
