import type { ImageMetadata, ImageRecord } from '@image-catalog/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStore } from '../base/use-store.ts';
import { metadataKey } from '../catalog/metadata-query.ts';
import { useLive } from '../live/use-live.ts';

/** Pictures that the list does not hold, and the panel, follow what others edit. */
export function useEditsOfOthers(): void {
  const queries = useQueryClient();
  const edits = useStore(useLive().edits);
  useEffect(() => {
    for (const { image, version } of edits) {
      queries.setQueryData<ImageRecord>(['image', image.id], (known) => known && image);
      const queryKey = metadataKey(image.id);
      const known = queries.getQueryData<ImageMetadata>(queryKey);
      // A person who writes is asked whose version counts when the field is saved.
      const refetchType = document.querySelector('.panel :focus') === null ? 'active' : 'none';
      if (known?.etag !== `"m${version}"`) void queries.invalidateQueries({ queryKey, refetchType });
    }
  }, [queries, edits]);
}
