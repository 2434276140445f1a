import type { ImageRecord } from '@image-catalog/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useChanges } from '../contexts/changes.ts';
import { metadataKey } from '../panel/metadata-query.ts';
import { withStar } from '../star/star-tag.ts';
import { useStore } from '../store.ts';

/** Pictures that the list does not hold, and the panel, follow the stars that were saved. */
export function useSavedStars(): void {
  const queries = useQueryClient();
  const saved = useStore(useChanges().stars.saved);
  useEffect(() => {
    for (const id of saved?.ids ?? []) {
      queries.setQueryData<ImageRecord>(
        ['image', id],
        (record) => record && withStar(record, saved?.isStarred ?? false),
      );
      void queries.invalidateQueries({ queryKey: metadataKey(id) });
    }
    if (saved !== undefined) void queries.invalidateQueries({ queryKey: ['tags'] });
  }, [queries, saved]);
}
