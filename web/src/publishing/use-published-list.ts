import type { Change, ImageCatalog, NamedImage } from '@image-catalog/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useLive } from '../live/use-live.ts';
import { usePublishedNames } from './use-published-names.ts';

/** Names that are shown at first and added each time. */
const STEP = 100;
const KEY = ['published'];

/** What has happened to names since they were listed. */
type Changed = ReadonlyMap<string, Current>;

type Current = Pick<NamedImage, 'id' | 'public'>;

export interface PublishedList {
  /** By name; `undefined` until they are there. */
  readonly names: readonly NamedImage[] | undefined;
  readonly error: unknown;
  /** Also if the request hangs. */
  readonly retry: () => void;
  /** There may be more than those. */
  readonly showMore: (() => void) | undefined;
  readonly change: (name: string, to: Current) => void;
}

/** All published names. What others do to those that are shown is shown; new ones come when the page is opened again. */
export function usePublishedList(): PublishedList {
  const catalog = useCatalog();
  const live = useLive();
  const published = usePublishedNames();
  const queries = useQueryClient();
  const [changed, setChanged] = useState<Changed>(new Map());
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ signal, pageParam }) => readPage(catalog, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length === STEP ? page.at(-1)?.name : undefined),
    // The page shows what is public when it is opened.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(
    () =>
      live.changes.subscribe(() => {
        const changes = live.changes.get().filter((change) => !published.isLate(change));
        setChanged((before) => withChanges(before, changes));
      }),
    [live, published],
  );
  return {
    names: data?.pages.flat().flatMap((named) => {
      const current = { ...named, ...changed.get(named.name) };
      return current.public ? [current] : [];
    }),
    error,
    retry: () => void queries.resetQueries({ queryKey: KEY }),
    showMore: hasNextPage ? () => !isFetching && void fetchNextPage() : undefined,
    change: (name, { id, public: isPublic }) =>
      setChanged((before) => new Map(before).set(name, { id, public: isPublic })),
  };
}

async function readPage(
  catalog: Pick<ImageCatalog, 'listNames'>,
  after: string,
  signal: AbortSignal,
): Promise<readonly NamedImage[]> {
  const names: NamedImage[] = [];
  const query = { public: true, limit: STEP, ...(after !== '' && { after }) };
  for await (const named of catalog.listNames(query, { signal })) {
    names.push(named);
    if (names.length === STEP) break;
  }
  return names;
}

function withChanges(before: Changed, changes: readonly Change[]): Changed {
  const after = new Map(before);
  for (const { name, id, public: isPublic } of changes) {
    if (name !== undefined) after.set(name, { id, public: isPublic === true });
  }
  return after;
}
