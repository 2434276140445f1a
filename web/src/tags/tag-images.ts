import type { CatalogError, ImageCatalog } from '@image-catalog/client';

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface TagOutcome {
  readonly updated: readonly number[];
  /** Deleted meanwhile. */
  readonly missing: readonly number[];
  /** They would have too many tags. */
  readonly refused: readonly number[];
  /** Not changed because of the error. */
  readonly left: readonly number[];
  readonly error: unknown;
}

export interface TagOptions {
  /** @param done pictures */
  readonly onProgress?: (done: number) => void;
}

/** Pictures in one request. */
const BATCH = 500;

/**
 * Further requests that find the pictures whose tags are too many: the service refuses a whole batch for one of them.
 * 9 find one of 500.
 */
const MAX_SPLITS = 60;

/** Changes the tags of all these pictures, but of those that would have too many tags. An error ends it early. */
export async function tagImages(
  catalog: Pick<ImageCatalog, 'tag'>,
  ids: readonly number[],
  change: TagChange,
  { onProgress }: TagOptions = {},
): Promise<TagOutcome> {
  const [updated, missing, refused]: [number[], number[], number[]] = [[], [], []];
  const waiting = batchesOf(ids);
  let splits = 0;
  for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
    try {
      const tagged = await catalog.tag(batch, change);
      updated.push(...tagged.updated);
      missing.push(...tagged.missing);
    } catch (error) {
      if (!isTooMany(error)) {
        return { updated, missing, refused, left: [batch, ...waiting].flat(), error };
      }
      if (batch.length === 1 || splits === MAX_SPLITS) refused.push(...batch);
      else {
        splits += 1;
        const middle = Math.ceil(batch.length / 2);
        waiting.unshift(batch.slice(0, middle), batch.slice(middle));
      }
    }
    onProgress?.(updated.length + missing.length + refused.length);
  }
  return { updated, missing, refused, left: [], error: undefined };
}

function batchesOf(ids: readonly number[]): Array<readonly number[]> {
  return Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) =>
    ids.slice(index * BATCH, (index + 1) * BATCH),
  );
}

/** The service has no code of its own for it: contract, section 9. */
function isTooMany(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'CatalogError') return false;
  return (error as CatalogError).status === 400 && /"addTags".* more than \d+ tags/.test(error.message);
}
