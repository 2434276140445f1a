import type { ImageRecord } from '@image-catalog/client';
import { useQueries } from '@tanstack/react-query';
import { useStore } from '../base/use-store.ts';
import { imageQuery } from '../catalog/image-query.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useDeletions } from '../deletion/use-deletions.ts';
import { useImageList } from '../images/use-image-list.ts';

export interface Compared {
  /** Those that are there, in the order of the address. */
  readonly records: readonly ImageRecord[];
  readonly isLoading: boolean;
}

export function useCompared(ids: readonly number[]): Compared {
  const catalog = useCatalog();
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
  return {
    records: found.filter((record) => record !== undefined),
    isLoading: results.some(({ isLoading }) => isLoading),
  };
}
