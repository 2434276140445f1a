import type { ImageRecord } from '@image-catalog/client';
import { useRef } from 'react';
import { useStore } from '../base/use-store.ts';
import { spokenName } from '../catalog/picture-name.ts';
import { useSize } from '../controls/use-size.ts';
import { deletionTexts } from '../deletion/deletion-texts.ts';
import { useDeletions } from '../deletion/use-deletions.ts';
import { BarButton } from '../stage/bar-button.tsx';
import type { Size } from '../stage/geometry.ts';
import { stageTexts } from '../stage/stage-texts.ts';
import { useChrome } from '../stage/use-chrome.ts';
import { useZoom } from '../stage/use-zoom.ts';
import { SidePanel } from './side-panel.tsx';
import { Stage } from './stage.tsx';
import { useHint } from './use-hint.ts';
import { usePanel } from './use-panel.ts';
import { usePictureActions } from './use-picture-actions.ts';
import { useViewerKeys } from './use-viewer-keys.ts';
import { useWalk, type Walk } from './use-walk.ts';
import { ViewerBar } from './viewer-bar.tsx';
import { viewerTexts } from './viewer-texts.ts';

interface PictureViewProps {
  readonly dialog: React.RefObject<HTMLDialogElement | null>;
  readonly record: ImageRecord;
  readonly onShow: (record: ImageRecord) => void;
  readonly onClose: () => void;
}

const NO_SIZE: Size = { width: 0, height: 0 };

/** A picture with its buttons, keys and panel. */
export function PictureView({ dialog, record, onShow, onClose }: PictureViewProps): React.JSX.Element {
  const view = useRef<HTMLDivElement>(null);
  const size = useSize(view);
  const zoom = useZoom(record, size ?? NO_SIZE);
  const walk = useWalk(record, onShow);
  const chrome = useChrome(dialog);
  const isDeleted = useStore(useDeletions().byOthers).has(record.id);
  const [passing, showHint] = useHint(record.id);
  const hint = passing ?? (isDeleted ? deletionTexts().gone : undefined);
  const panel = usePanel(walk);
  const actions = usePictureActions({ record, walk, showHint, onShow, onClose });
  useViewerKeys({ dialog, zoom, walk, actions, onPanel: panel.toggle, onTags: panel.openTags });
  const { position, count } = walk;
  const place = position === undefined || count === undefined ? '' : viewerTexts().place(position + 1, count);
  return (
    <div
      className="viewer-layout"
      data-panel={panel.isOpen || undefined}
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
            onStep={actions.step}
            onClose={onClose}
            onTap={chrome.toggle}
          />
        )}
        <ViewerBar
          record={record}
          place={place}
          canZoomIn={zoom.canStepIn}
          isPanelOpen={panel.isOpen}
          onClose={onClose}
          onZoom={() => zoom.toggle()}
          isStarred={actions.isStarred}
          onStar={actions.star}
          onDownload={actions.download}
          onPanel={panel.toggle}
          onDelete={actions.remove}
        />
        <Steps walk={walk} onStep={actions.step} />
        {hint !== undefined && <Hint text={hint} />}
      </div>
      {panel.isOpen && <SidePanel record={record} panel={panel} onShow={onShow} />}
      <output className="visually-hidden">
        {hint ?? [spokenName(record), place].filter(Boolean).join(', ')}
      </output>
    </div>
  );
}

interface StepsProps {
  readonly walk: Walk;
  readonly onStep: (by: 1 | -1) => void;
}

/** Buttons at the sides, if there is a picture in their direction. */
function Steps({ walk: { position, count }, onStep }: StepsProps): React.JSX.Element | null {
  if (position === undefined) return null;
  const { previous, next } = stageTexts();
  return (
    <>
      {position > 0 && (
        <div className="viewer-previous" data-fades>
          <BarButton icon="chevron-left" label={previous} keys="ArrowLeft" onClick={() => onStep(-1)} />
        </div>
      )}
      {(count === undefined || position < count - 1) && (
        <div className="viewer-next" data-fades>
          <BarButton icon="chevron-right" label={next} keys="ArrowRight" onClick={() => onStep(1)} />
        </div>
      )}
    </>
  );
}

function Hint({ text }: { readonly text: string }): React.JSX.Element {
  return (
    <p className="viewer-hint" data-fades>
      {text}
    </p>
  );
}
