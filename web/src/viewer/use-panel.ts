import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { metadataQuery } from '../catalog/metadata-query.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import type { PanelState } from './side-panel.tsx';
import { usePanelOpen } from './use-panel-open.ts';
import type { Walk } from './use-walk.ts';

export function usePanel(walk: Walk): PanelState {
  const [isOpen, setOpen] = usePanelOpen();
  const [focusTags, setFocusTags] = useState(false);
  const onTagsFocused = useCallback(() => setFocusTags(false), []);
  usePrefetchedMetadata(isOpen, walk);
  return {
    isOpen,
    toggle: () => setOpen(!isOpen),
    close: () => setOpen(false),
    openTags: () => {
      setOpen(true);
      setFocusTags(true);
    },
    focusTags,
    onTagsFocused,
  };
}

/** The details of the neighbours are there when their pictures are. */
function usePrefetchedMetadata(isEnabled: boolean, { previous, next }: Walk): void {
  const catalog = useCatalog();
  const queries = useQueryClient();
  useEffect(() => {
    if (!isEnabled) return;
    for (const neighbour of [next?.id, previous?.id]) {
      if (neighbour !== undefined) void queries.prefetchQuery(metadataQuery(catalog, neighbour));
    }
  }, [catalog, queries, isEnabled, next?.id, previous?.id]);
}
