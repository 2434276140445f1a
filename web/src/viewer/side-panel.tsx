import type { ImageRecord } from '@image-catalog/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useService } from '../contexts/service.ts';
import { metadataQuery } from '../panel/metadata-query.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Boundary } from '../states/boundary.tsx';
import { texts } from '../texts.ts';
import type { Walk } from './picture/use-walk.ts';
import { usePanelOpen } from './use-panel-open.ts';

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
  const { catalog } = useService();
  const queries = useQueryClient();
  useEffect(() => {
    if (!isEnabled) return;
    for (const neighbour of [next?.id, previous?.id]) {
      if (neighbour !== undefined) void queries.prefetchQuery(metadataQuery(catalog, neighbour));
    }
  }, [catalog, queries, isEnabled, next?.id, previous?.id]);
}
