import type { CopyGroup, ImageRecord } from '@image-catalog/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from '../base/use-store.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useDeletions } from '../deletion/use-deletions.ts';

/** Groups that are shown at first and added each time. */
const STEP = 50;

export interface CopyList {
  /** Of at least two pictures each, newest group first; `undefined` until they are there. */
  readonly groups: ReadonlyArray<readonly ImageRecord[]> | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  /** There may be more groups. */
  readonly showMore: (() => void) | undefined;
}

/** Groups of copies, without what was deleted since. */
export function useCopies(): CopyList {
  const catalog = useCatalog();
  const deletions = useDeletions();
  const queries = useQueryClient();
  const hidden = useStore(deletions.hidden);
  const [most, setMost] = useState(STEP);
  const queryKey = ['copies', most];
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const found: CopyGroup[] = [];
      for await (const group of catalog.copies({ limit: STEP }, { signal })) {
        found.push(group);
        if (found.length === most) break;
      }
      return found;
    },
    // The page shows what is there when it is opened.
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const groups = data
    ?.map(({ images }) => images.filter(({ id }) => !hidden.has(id)))
    .filter(({ length }) => length > 1);
  return {
    groups,
    error,
    retry: () => void queries.resetQueries({ queryKey }),
    showMore: data?.length === most ? (): void => setMost(most + STEP) : undefined,
  };
}
