import { type ImageRecord, thumbhashDataUrl } from '@image-catalog/client';
import { altOf, nameOf } from '../catalog/picture-name.ts';
import { Modal } from '../dialogs/modal.tsx';
import { useModal } from '../dialogs/use-modal.ts';
import { useImageList } from '../images/use-image-list.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { BarButton } from '../stage/bar-button.tsx';
import { gridPictureOf } from '../stage/grid-picture.ts';

import { ComingPart } from '../states/coming-part.tsx';
import { statesTexts } from '../states/states-texts.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { usePanelOpen } from './use-panel-open.ts';
import { viewerTexts } from './viewer-texts.ts';
import { ViewerTitle } from './viewer-title.tsx';

interface OpeningPictureProps {
  readonly id: number;
  readonly onClose: () => void;
}

/** What the page knows of the picture, in its place, until the code of the viewer is there. */
export function OpeningPicture({ id, onClose }: OpeningPictureProps): React.JSX.Element {
  const dialog = useModal();
  const list = useImageList();
  const record = list?.find(id);
  const [isPanelOpen, setPanelOpen] = usePanelOpen();
  useNeighbourKeys(dialog, (by) => list?.recordAt((list.positionOf(id) ?? Number.NaN) + by));
  useShortcut('Escape', onClose, { within: dialog });
  useShortcut('i', () => setPanelOpen(!isPanelOpen), { within: dialog });
  return (
    <Modal
      ref={dialog}
      className="viewer"
      data-theme="dark"
      tabIndex={-1}
      aria-label={record === undefined ? viewerTexts().label : nameOf(record)}
      onClose={onClose}
    >
      <div className="viewer-backdrop" />
      <div className="viewer-layout" data-panel={isPanelOpen || undefined}>
        <div className="viewer-view">
          <div className="viewer-slide">
            {record !== undefined && <Preview record={record} />}
            <div className="picture-waiting">
              <ComingPart back={onClose} />
            </div>
          </div>
          <div className="viewer-bar">
            <BarButton icon="back" label={statesTexts().back} keys="Escape" onClick={onClose} />
            {record !== undefined && <ViewerTitle record={record} />}
          </div>
        </div>
        {isPanelOpen && <div className="viewer-panel" />}
      </div>
    </Modal>
  );
}

/** To pictures that the list has loaded. */
function useNeighbourKeys(
  within: React.RefObject<HTMLDialogElement | null>,
  neighbour: (by: 1 | -1) => ImageRecord | undefined,
): void {
  const addressBar = useAddressBar();
  const step = (by: 1 | -1): void => {
    const record = neighbour(by);
    if (record !== undefined) addressBar.replace({ image: record.id });
  };
  useShortcut('ArrowLeft', () => step(-1), { within });
  useShortcut('ArrowRight', () => step(1), { within });
}

/** As large as the stage will show it. */
function Preview({ record }: { readonly record: ImageRecord }): React.JSX.Element {
  const { id, thumbhash, width, height } = record;
  const list = useImageList();
  const placeholder = thumbhashDataUrl({ thumbhash });
  return (
    <img
      className="viewer-picture"
      src={gridPictureOf(id, list)?.currentSrc ?? placeholder}
      onError={({ currentTarget }) => {
        // The browser has forgotten the picture of the grid.
        currentTarget.src = placeholder;
      }}
      alt={altOf(record)}
      style={{ width: `min(100cqw, 100cqh * ${width / height}, ${width}px)`, aspectRatio: width / height }}
    />
  );
}
