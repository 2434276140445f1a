import type { ImageRecord } from '@image-catalog/client';
import { Boundary } from '../states/boundary.tsx';
import { ComingPart } from '../states/coming-part.tsx';
import { lazyPart } from '../states/lazy-part.tsx';
import { viewerTexts } from './viewer-texts.ts';

const Panel = lazyPart(
  () => import('../panel/panel.tsx'),
  'Panel',
  ({ onClose }) => <ComingPart back={onClose} />,
);

export interface PanelState {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
  /** Opens the panel, with the focus in the field of the tags. */
  readonly openTags: () => void;
  readonly focusTags: boolean;
  readonly onTagsFocused: () => void;
}

interface SidePanelProps {
  readonly record: ImageRecord;
  readonly panel: PanelState;
  readonly onShow: (record: ImageRecord) => void;
}

export function SidePanel({ record, panel, onShow }: SidePanelProps): React.JSX.Element {
  return (
    <aside className="viewer-panel" aria-label={viewerTexts().panel} data-fades>
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
