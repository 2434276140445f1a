import type { ImageRecord } from '@image-catalog/client';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, useCallback, useEffect, useRef, useState } from 'react';
import { useChanges } from '../contexts/changes.ts';
import { usePage } from '../contexts/page.ts';
import { useService } from '../contexts/service.ts';
import { useView } from '../contexts/view.ts';
import { downloadOriginal } from '../panel/download.ts';
import { metadataQuery } from '../panel/metadata-query.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { Boundary } from '../states/boundary.tsx';
import { texts } from '../texts.ts';
import { FITTED, type Size, ZOOM_STEP } from './geometry.ts';
import { nameOf } from './picture-name.ts';
import { Stage } from './stage.tsx';
import { useChrome } from './use-chrome.ts';
import { usePanelOpen } from './use-panel-open.ts';
import { useSize } from './use-size.ts';
import { useWalk, type Walk } from './use-walk.ts';
import { useZoom } from './use-zoom.ts';
import { BarButton, ViewerBar } from './viewer-bar.tsx';

const Panel = lazy(async () => ({ default: (await import('../panel/panel.tsx')).Panel }));

interface PictureViewProps {
  readonly dialog: React.RefObject<HTMLDialogElement | null>;
  readonly record: ImageRecord;
  readonly onShow: (record: ImageRecord) => void;
  readonly onClose: () => void;
}

const NO_SIZE: Size = { width: 0, height: 0 };
const HINT_MS = 2000;

/** A picture with its buttons, keys and panel. */
export function PictureView({ dialog, record, onShow, onClose }: PictureViewProps): React.JSX.Element {
  const { links } = useService();
  const { addressBar } = useView();
  const { deletions } = useChanges();
  const { trouble } = usePage();
  const view = useRef<HTMLDivElement>(null);
  const size = useSize(view);
  const zoom = useZoom(record, size ?? NO_SIZE);
  const walk = useWalk(record, onShow);
  const chrome = useChrome(dialog);
  const [isPanelOpen, setPanelOpen] = usePanelOpen();
  const [focusTags, setFocusTags] = useState(false);
  const onTagsFocused = useCallback(() => setFocusTags(false), []);
  const [hint, showHint] = useHint(record.id);
  const place = walk.position === undefined ? '' : texts.viewer.place(walk.position + 1, walk.count);

  usePrefetchedMetadata(isPanelOpen, walk);

  function step(by: 1 | -1): void {
    if (!walk.step(by) && walk.position !== undefined) {
      showHint(by === 1 ? texts.viewer.last : texts.viewer.first);
    }
  }

  function remove(): void {
    const { id } = record;
    const follower = walk.next ?? walk.previous;
    deletions.delete([id], {
      onUndone: () => {
        if (addressBar.view.get().image !== undefined) onShow(record);
      },
    });
    if (follower === undefined) onClose();
    else onShow(follower);
  }

  function download(): void {
    downloadOriginal(links, record.id).catch((error: unknown) => trouble.report(error));
  }

  const keys = { within: dialog };
  const pan = (x: number, y: number): boolean => {
    if (zoom.isZoomed) zoom.step(x, y);
    return zoom.isZoomed;
  };
  useShortcut('ArrowLeft', () => pan(-1, 0) || step(-1), keys);
  useShortcut('ArrowRight', () => pan(1, 0) || step(1), keys);
  // Taken also if they do nothing: the page below must not scroll.
  useShortcut('ArrowUp', () => void pan(0, -1), keys);
  useShortcut('ArrowDown', () => void pan(0, 1), keys);
  useShortcut('Home', walk.toFirst, keys);
  useShortcut('End', walk.toLast, keys);
  useShortcut(['+', '='], () => zoom.by(ZOOM_STEP, FITTED, true), keys);
  useShortcut('-', () => zoom.by(1 / ZOOM_STEP, FITTED, true), keys);
  useShortcut('0', zoom.reset, keys);
  useShortcut('d', download, keys);
  useShortcut('Delete', remove, keys);
  useShortcut('z', () => deletions.undo(), keys);
  useShortcut('i', () => setPanelOpen(!isPanelOpen), keys);
  useShortcut(
    't',
    () => {
      setPanelOpen(true);
      setFocusTags(true);
    },
    keys,
  );

  return (
    <div
      className="viewer-layout"
      data-panel={isPanelOpen || undefined}
      data-bare={!chrome.isVisible || undefined}
    >
      <div ref={view} className="viewer-view">
        {size !== undefined && (
          <Stage
            record={record}
            previous={walk.previous}
            next={walk.next}
            size={size}
            zoom={zoom}
            onStep={step}
            onClose={onClose}
            onTap={chrome.toggle}
          />
        )}
        <ViewerBar
          place={place}
          isZoomed={zoom.isZoomed}
          isPanelOpen={isPanelOpen}
          onClose={onClose}
          onZoom={() => zoom.toggle()}
          onDownload={download}
          onPanel={() => setPanelOpen(!isPanelOpen)}
          onDelete={remove}
        />
        {walk.position !== undefined && walk.position > 0 && (
          <div className="viewer-previous" data-fades>
            <BarButton
              icon="chevron-left"
              label={texts.viewer.previous}
              keys="ArrowLeft"
              onClick={() => step(-1)}
            />
          </div>
        )}
        {walk.position !== undefined && walk.position < walk.count - 1 && (
          <div className="viewer-next" data-fades>
            <BarButton
              icon="chevron-right"
              label={texts.viewer.next}
              keys="ArrowRight"
              onClick={() => step(1)}
            />
          </div>
        )}
        {hint !== undefined && (
          <p className="viewer-hint" data-fades>
            {hint}
          </p>
        )}
      </div>
      {isPanelOpen && (
        <aside className="viewer-panel" aria-label={texts.panel.label} data-fades>
          <Boundary>
            <Panel
              record={record}
              focusTags={focusTags}
              onTagsFocused={onTagsFocused}
              onShow={onShow}
              onClose={() => setPanelOpen(false)}
            />
          </Boundary>
        </aside>
      )}
      <output className="visually-hidden">
        {hint ?? [nameOf(record), place].filter(Boolean).join(', ')}
      </output>
    </div>
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

/** A sentence that goes away by itself, or with the next picture. */
function useHint(id: number): readonly [string | undefined, (text: string) => void] {
  const [hint, setHint] = useState<{ readonly id: number; readonly text: string }>();
  useEffect(() => {
    if (hint === undefined) return undefined;
    const timer = setTimeout(() => setHint(undefined), HINT_MS);
    return () => clearTimeout(timer);
  }, [hint]);
  return [hint?.id === id ? hint.text : undefined, (text) => setHint({ id, text })];
}
