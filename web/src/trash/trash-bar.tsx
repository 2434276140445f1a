import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { commonTexts } from '../languages/common-texts.ts';
import { SelectionCount } from '../selection/selection-count.tsx';
import { selectionTexts } from '../selection/selection-texts.ts';
import { trashTexts } from './trash-texts.ts';
import type { TrashWork } from './use-trash-work.ts';

interface TrashBarProps {
  readonly work: TrashWork;
  /** The bar, and what had the focus, may be gone. */
  readonly onDone: () => void;
}

/** What can be done with the selected pictures. */
export function TrashBar({ work, onDone }: TrashBarProps): React.JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const { ids, progress } = work;
  const isRunning = progress !== undefined;
  return (
    <>
      <section className="selection-bar floating" aria-label={selectionTexts().label}>
        <div className="selection-toolbar">
          <IconButton
            icon="close"
            aria-label={selectionTexts().clear}
            disabled={isRunning}
            onClick={() => {
              work.select([]);
              onDone();
            }}
          />
          {isRunning ? (
            <output className="trash-progress">
              {selectionTexts().progress(progress.done, progress.count)}
            </output>
          ) : (
            <SelectionCount count={ids.length} />
          )}
          <Button data-kind="quiet" disabled={isRunning} onClick={() => void work.restore().then(onDone)}>
            <Icon name="undo" />
            {trashTexts().restore}
          </Button>
          <Button data-kind="danger" disabled={isRunning} onClick={() => setAsking(true)}>
            <Icon name="trash" />
            {trashTexts().erase}
          </Button>
        </div>
      </section>
      {isAsking && (
        <FormDialog
          title={trashTexts().eraseTitle(ids.length)}
          submit={trashTexts().erase}
          close={commonTexts().cancel}
          isDisabled={false}
          onSubmit={() => {
            setAsking(false);
            void work.erase().then(onDone);
          }}
          onClose={() => setAsking(false)}
        >
          <p className="form-hint">{trashTexts().eraseHint}</p>
        </FormDialog>
      )}
    </>
  );
}
