import type { ImageRecord } from '@image-catalog/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStore } from '../base/use-store.ts';
import { metadataKey } from '../catalog/metadata-query.ts';
import { withStar } from '../star/star-tag.ts';
import { useStars } from '../star/use-stars.ts';

/** Pictures that the list does not hold, and the panel, follow the stars that were saved. */
export function useSavedStars(): void {
  const queries = useQueryClient();
  const saved = useStore(useStars().saved);
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
