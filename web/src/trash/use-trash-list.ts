import type { TrashedImage } from '@image-catalog/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useDeletions } from '../deletion/use-deletions.ts';
import { useLive } from '../live/use-live.ts';

/** Pictures that are shown at first and added each time; the most of a response of the service. */
const STEP = 1000;

const LEFT: ReadonlySet<string> = new Set(['image.restored', 'image.deleted']);

export interface TrashList {
  /** Newest first; `undefined` until they are there. */
  readonly pictures: readonly TrashedImage[] | undefined;
  /** Epoch ms; 0 before. */
  readonly readAt: number;
  readonly error: unknown;
  /** Also if the request hangs. */
  readonly retry: () => void;
  /** Asks the service again. */
  readonly reload: () => void;
  /** There may be more than those. */
  readonly showMore: (() => void) | undefined;
  /** Pictures that are not shown were deleted since. */
  readonly isOutdated: boolean;
  /** They have left the trash. */
  readonly remove: (ids: readonly number[]) => void;
}

/** What was deleted. Pictures that leave the trash disappear; those that come wait until the person wants to see them. */
export function useTrashList(): TrashList {
  const catalog = useCatalog();
  const deletions = useDeletions();
  const live = useLive();
  const queries = useQueryClient();
  const [most, setMost] = useState(STEP);
  const [isOutdated, setOutdated] = useState(false);
  const key = ['trash', most];
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      // What the person has just deleted is expected here.
      await deletions.sendNow();
      setOutdated(false);
      return await firstOf(catalog.listTrash({ limit: STEP }, { signal }), most);
    },
    // The page shows what is in the trash when it is opened.
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const remove = (ids: readonly number[]): void => {
    queries.setQueryData<readonly TrashedImage[]>(key, (known) =>
      known?.filter(({ image }) => !ids.includes(image.id)),
    );
  };
  useEffect(() =>
    live.changes.subscribe(() => {
      const changes = live.changes.get();
      const left = changes.filter(({ type }) => LEFT.has(type)).map(({ id }) => id);
      if (left.length > 0) remove(left);
      const came = changes.filter(({ type, id }) => type === 'image.trashed' && !left.includes(id));
      if (came.some(({ id }) => !data?.some(({ image }) => image.id === id))) setOutdated(true);
    }),
  );
  const showMore = data?.length === most ? (): void => setMost(most + STEP) : undefined;
  return {
    pictures: data,
    readAt: dataUpdatedAt,
    error,
    retry: () => void queries.resetQueries({ queryKey: key }),
    reload: () => void refetch(),
    showMore,
    isOutdated,
    remove,
  };
}

async function firstOf<T>(items: AsyncIterable<T>, most: number): Promise<readonly T[]> {
  const first: T[] = [];
  for await (const item of items) {
    first.push(item);
    if (first.length === most) break;
  }
  return first;
}
