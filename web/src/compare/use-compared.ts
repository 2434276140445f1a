import type { ImageRecord } from '@image-catalog/client';
import { useQueries } from '@tanstack/react-query';
import { useStore } from '../base/store.ts';
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
  const listed = ids.map((id) => {
    const position = list?.positionOf(id);
    return position === undefined ? undefined : list?.recordAt(position);
  });
  const results = useQueries({
    queries: ids.map((id, index) => ({
      queryKey: ['image', id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => catalog.get(id, { signal }),
      enabled: listed[index] === undefined && !hidden.has(id),
      // One that was deleted is left out.
      meta: { quiet: true },
      staleTime: 60_000,
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
