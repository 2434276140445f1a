import { useRights } from '../session/use-rights.ts';
import { BarButton } from '../stage/bar-button.tsx';
import { stageTexts } from '../stage/stage-texts.ts';
import { starTexts } from '../star/star-texts.ts';
import { statesTexts } from '../states/states-texts.ts';
import { viewerTexts } from './viewer-texts.ts';

interface ViewerBarProps {
  /** As in 3 of 1,204. */
  readonly place: string;
  readonly isZoomed: boolean;
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
  const { place, isZoomed, isPanelOpen, isStarred } = props;
  const { onClose, onZoom, onStar, onDownload, onPanel, onDelete } = props;
  return (
    <div className="viewer-bar" data-fades>
      <BarButton icon="back" label={statesTexts().back} keys="Escape" onClick={onClose} />
      <span className="viewer-place">{place}</span>
      <div className="viewer-actions">
        <BarButton
          icon={isZoomed ? 'minus' : 'plus'}
          label={isZoomed ? stageTexts().zoomOut : stageTexts().zoomIn}
          keys={isZoomed ? '0' : '+'}
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
