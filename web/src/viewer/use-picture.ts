import type { ImageRecord } from '@image-catalog/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useStore } from '../base/store.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useDeletions } from '../deletion/use-deletions.ts';
import { useImageList } from '../images/use-image-list.ts';
import { useTrouble } from '../states/use-trouble.ts';

export type Picture =
  | { readonly kind: 'shown'; readonly record: ImageRecord }
  | { readonly kind: 'loading' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void };

/** The record of the list; that of the service if the list does not contain it, or not yet. */
export function usePicture(id: number): Picture {
  const catalog = useCatalog();
  const deletions = useDeletions();
  const trouble = useTrouble();
  const list = useImageList();
  const queries = useQueryClient();
  const isHidden = useStore(deletions.hidden).has(id);
  const isDeletedByOthers = useStore(deletions.byOthers).has(id);
  const position = list?.positionOf(id);
  const listed = position === undefined ? undefined : list?.recordAt(position);
  const { data, error, refetch } = useQuery({
    queryKey: ['image', id],
    queryFn: ({ signal }) => catalog.get(id, { signal }),
    enabled: listed === undefined && !isHidden,
    // That it was deleted is no trouble.
    meta: { quiet: true },
    staleTime: 60_000,
  });
  useEffect(() => {
    // For the time when the list has forgotten it.
    if (listed !== undefined) queries.setQueryData(['image', id], listed);
  }, [queries, id, listed]);
  const report = useEffectEvent((failure: unknown) => {
    trouble.report(failure, { retry: () => void refetch() });
  });
  useEffect(() => {
    if (error !== null && !isMissing(error)) report(error);
  }, [error]);
  const record = listed ?? data;
  // It stays as long as the person looks at it, with what was written.
  const stays = isDeletedByOthers && record !== undefined;
  if ((isHidden && !stays) || isMissing(error)) return { kind: 'deleted' };
  if (record !== undefined) return { kind: 'shown', record };
  if (error !== null) return { kind: 'failed', error, retry: () => void refetch() };
  return { kind: 'loading' };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'image_not_found';
}
