import type { ImageRecord } from '@image-catalog/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hasCode } from '../base/has-code.ts';
import { useStore } from '../base/use-store.ts';
import { imageQuery } from '../catalog/image-query.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useDeletions } from '../deletion/use-deletions.ts';
import { useImageList } from '../images/use-image-list.ts';

export type Picture =
  | { readonly kind: 'shown'; readonly record: ImageRecord }
  | { readonly kind: 'deleted' }
  /** Its error is that of the last attempt, and nullish as long as none has failed. */
  | { readonly kind: 'waiting'; readonly error: unknown; readonly retry: () => void };

/** The record of the list; that of the service if the list does not contain it, or not yet. */
export function usePicture(id: number): Picture {
  const catalog = useCatalog();
  const deletions = useDeletions();
  const list = useImageList();
  const queries = useQueryClient();
  const isHidden = useStore(deletions.hidden).has(id);
  const isDeletedByOthers = useStore(deletions.byOthers).has(id);
  const listed = list?.find(id);
  const { data, error } = useQuery({
    ...imageQuery(catalog, id),
    enabled: listed === undefined && !isHidden,
  });
  const isMissing = hasCode(error, 'image_not_found');
  useEffect(() => {
    // For the time when the list has forgotten it.
    if (listed !== undefined) queries.setQueryData(['image', id], listed);
  }, [queries, id, listed]);
  const record = listed ?? data;
  // It stays as long as the person looks at it, with what was written.
  const stays = isDeletedByOthers && record !== undefined;
  if ((isHidden && !stays) || isMissing) return { kind: 'deleted' };
  if (record !== undefined) return { kind: 'shown', record };
  return { kind: 'waiting', error, retry: () => void queries.resetQueries({ queryKey: ['image', id] }) };
}
