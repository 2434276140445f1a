import type { ImageRecord } from '@image-catalog/client';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { hasCode } from '../base/has-code.ts';
import { useStore } from '../base/use-store.ts';
import { imageQuery } from '../catalog/image-query.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useDeletions } from '../deletion/use-deletions.ts';
import { useImageList } from '../images/use-image-list.ts';

export interface Compared {
  /** Those that are there, in the order of the address. */
  readonly records: readonly ImageRecord[];
  /** Some are not there yet, or could not be loaded. */
  readonly isWaiting: boolean;
  /** Of the last attempt. */
  readonly error: unknown;
  readonly retry: () => void;
}

export function useCompared(ids: readonly number[]): Compared {
  const catalog = useCatalog();
  const queries = useQueryClient();
  const deletions = useDeletions();
  const hidden = useStore(deletions.hidden);
  const list = useImageList();
  const listed = ids.map((id) => list?.find(id));
  const results = useQueries({
    queries: ids.map((id, index) => ({
      ...imageQuery(catalog, id),
      enabled: listed[index] === undefined && !hidden.has(id),
    })),
  });
  const found = ids.map((id, index) =>
    hidden.has(id) ? undefined : (listed[index] ?? results[index]?.data),
  );
  const missing = results.filter(
    ({ error }, index) =>
      found[index] === undefined && !hidden.has(ids[index] ?? 0) && !hasCode(error, 'image_not_found'),
  );
  return {
    records: found.filter((record) => record !== undefined),
    isWaiting: missing.length > 0,
    error: missing.find(({ error }) => error !== null)?.error,
    retry: () => {
      for (const id of ids) void queries.resetQueries({ queryKey: ['image', id] });
    },
  };
}
