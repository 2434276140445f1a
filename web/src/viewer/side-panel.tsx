import type { ImageRecord } from '@image-catalog/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { metadataQuery } from '../catalog/metadata-query.ts';
import { useCatalog } from '../catalog/use-catalog.ts';
import { texts } from '../languages/texts.ts';
import { Boundary } from '../states/boundary.tsx';
import { lazyPart } from '../states/lazy-part.tsx';
import { usePanelOpen } from './use-panel-open.ts';
import type { Walk } from './use-walk.ts';

const Panel = lazyPart(async () => (await import('../panel/panel.tsx')).Panel, ComingPanel);

export interface PanelState {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
  /** Opens the panel, with the focus in the field of the tags. */
  readonly openTags: () => void;
  readonly focusTags: boolean;
  readonly onTagsFocused: () => void;
}

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

function ComingPanel(): React.JSX.Element {
  return <p className="viewer-panel-coming">{texts.panel.loading}</p>;
}

interface SidePanelProps {
  readonly record: ImageRecord;
  readonly panel: PanelState;
  readonly onShow: (record: ImageRecord) => void;
}

export function SidePanel({ record, panel, onShow }: SidePanelProps): React.JSX.Element {
  return (
    <aside className="viewer-panel" aria-label={texts.panel.label} data-fades>
      <Boundary>
        <Panel
          record={record}
          focusTags={panel.focusTags}
          onTagsFocused={panel.onTagsFocused}
          onShow={onShow}
          onClose={panel.close}
        />
      </Boundary>
    </aside>
  );
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
