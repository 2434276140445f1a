import { useState } from 'react';
import { IconButton } from '../controls/icon-button.tsx';
import { Modal } from '../dialogs/modal.tsx';
import { useModal } from '../dialogs/use-modal.ts';
import { useRights } from '../session/use-rights.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { FITTED, type Frame, type Placement, ZOOM_STEP } from '../stage/geometry.ts';
import { stageTexts } from '../stage/stage-texts.ts';
import { Waiting } from '../states/waiting.tsx';
import { withQueries } from '../states/with-queries.tsx';
import { factsOf } from './compare-facts.ts';
import { ComparePane } from './compare-pane.tsx';
import { compareTexts } from './compare-texts.ts';
import { panShared, zoomShared } from './shared-zoom.ts';
import { useCompared } from './use-compared.ts';
import { useKeep } from './use-keep.ts';
import type { ChangeZoom } from './use-pane-gestures.ts';

interface CompareDialogProps {
  readonly ids: readonly number[];
  readonly onClose: () => void;
}

/** Similar pictures side by side, of which one is kept. They are zoomed and moved together. */
function Dialog({ ids, onClose }: CompareDialogProps): React.JSX.Element {
  const dialog = useModal();
  const [shared, setShared] = useState<Placement>(FITTED);
  const { records, isWaiting, error, retry } = useCompared(ids);
  const rights = useRights();
  const keep = useKeep(records, onClose);
  useCompareKeys(dialog, setShared, onClose);
  return (
    <Modal ref={dialog} className="compare" tabIndex={-1} aria-label={compareTexts().title} onClose={onClose}>
      <CompareBar onZoom={setShared} onClose={onClose} />
      {isWaiting && <Waiting error={error} retry={retry} back={onClose} />}
      {records.length < 2 && !isWaiting && <Waiting sentence={compareTexts().tooFew} back={onClose} />}
      {records.length >= 2 && (
        <ul className="compare-panes" data-count={ids.length}>
          {records.map((record) => (
            <ComparePane
              key={record.id}
              record={record}
              facts={factsOf(record, records)}
              shared={shared}
              onZoom={setShared}
              onKeep={rights.delete ? () => keep(record) : undefined}
            />
          ))}
        </ul>
      )}
    </Modal>
  );
}

interface CompareBarProps {
  readonly onZoom: ChangeZoom;
  readonly onClose: () => void;
}

function CompareBar({ onZoom, onClose }: CompareBarProps): React.JSX.Element {
  const rights = useRights();
  return (
    <div className="compare-bar">
      <IconButton icon="back" label={compareTexts().close} onClick={onClose} />
      <h2 className="compare-title">{compareTexts().title}</h2>
      {rights.delete && <span className="compare-hint">{compareTexts().hint}</span>}
      <IconButton icon="minus" label={stageTexts().zoomOut} onClick={() => onZoom(() => FITTED)} />
      <IconButton icon="plus" label={stageTexts().zoomIn} onClick={() => onZoom(zoomedIn)} />
    </div>
  );
}

const MIDDLE = { x: 0, y: 0 };
/** For keys and buttons, which belong to no pane: parts of a picture. */
const ANY_PANE: Frame = { stage: { width: 1, height: 1 }, fitted: { width: 1, height: 1 }, maxZoom: 16 };
const PAN_STEP = 0.1;

function zoomedIn(shared: Placement): Placement {
  return zoomShared(shared, ZOOM_STEP, MIDDLE, ANY_PANE);
}

function useCompareKeys(
  within: React.RefObject<HTMLDialogElement | null>,
  onZoom: ChangeZoom,
  onClose: () => void,
): void {
  const pan = (x: number, y: number): void =>
    onZoom((shared) => panShared(shared, { x: -x * PAN_STEP, y: -y * PAN_STEP }, ANY_PANE));
  useShortcut('Escape', onClose, { within });
  useShortcut(['+', '='], () => onZoom(zoomedIn), { within });
  useShortcut('-', () => onZoom((shared) => zoomShared(shared, 1 / ZOOM_STEP, MIDDLE, ANY_PANE)), { within });
  useShortcut('0', () => onZoom(() => FITTED), { within });
  useShortcut('ArrowLeft', () => pan(-1, 0), { within });
  useShortcut('ArrowRight', () => pan(1, 0), { within });
  useShortcut('ArrowUp', () => pan(0, -1), { within });
  useShortcut('ArrowDown', () => pan(0, 1), { within });
}

export const CompareDialog = withQueries(Dialog);
