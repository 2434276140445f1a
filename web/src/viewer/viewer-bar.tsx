import type { ImageRecord } from '@image-catalog/client';
import { useRights } from '../session/use-rights.ts';
import { BarButton } from '../stage/bar-button.tsx';
import { stageTexts } from '../stage/stage-texts.ts';
import { starTexts } from '../star/star-texts.ts';
import { statesTexts } from '../states/states-texts.ts';
import { viewerTexts } from './viewer-texts.ts';
import { ViewerTitle } from './viewer-title.tsx';

interface ViewerBarProps {
  readonly record: ImageRecord;
  /** As in 3 of 1,204. */
  readonly place: string;
  readonly canZoomIn: boolean;
  readonly isPanelOpen: boolean;
  readonly isStarred: boolean;
  readonly onClose: () => void;
  readonly onZoom: () => void;
  readonly onStar: () => void;
  readonly onDownload: () => void;
  readonly onPanel: () => void;
  readonly onDelete: () => void;
}

/** What can be done with the picture. */
export function ViewerBar(props: ViewerBarProps): React.JSX.Element {
  const rights = useRights();
  const { record, place, canZoomIn, isPanelOpen, isStarred } = props;
  const { onClose, onZoom, onStar, onDownload, onPanel, onDelete } = props;
  return (
    <div className="viewer-bar" data-fades>
      <BarButton icon="back" label={statesTexts().back} keys="Escape" onClick={onClose} />
      <ViewerTitle record={record} place={place} />
      <div className="viewer-actions">
        <BarButton
          icon={canZoomIn ? 'plus' : 'minus'}
          label={canZoomIn ? stageTexts().zoomIn : stageTexts().zoomOut}
          keys={canZoomIn ? '+' : '0'}
          onClick={onZoom}
        />
        {rights.write && (
          <BarButton
            icon={isStarred ? 'star-filled' : 'star'}
            label={starTexts().set}
            keys="f"
            isPressed={isStarred}
            onClick={onStar}
          />
        )}
        <BarButton icon="download" label={viewerTexts().download} keys="d" onClick={onDownload} />
        {rights.delete && (
          <BarButton icon="trash" label={viewerTexts().delete} keys="Delete" onClick={onDelete} />
        )}
        <BarButton
          icon="info"
          label={viewerTexts().panel}
          keys="i"
          isPressed={isPanelOpen}
          onClick={onPanel}
        />
      </div>
    </div>
  );
}
