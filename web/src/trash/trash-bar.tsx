import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { texts } from '../languages/texts.ts';
import { SelectionCount } from '../selection/selection-count.tsx';
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
      <section className="selection-bar floating" aria-label={texts.selection.label}>
        <div className="selection-toolbar">
          <IconButton
            icon="close"
            aria-label={texts.selection.clear}
            disabled={isRunning}
            onClick={() => {
              work.select([]);
              onDone();
            }}
          />
          {isRunning ? (
            <output className="trash-progress">
              {texts.selection.progress(progress.done, progress.count)}
            </output>
          ) : (
            <SelectionCount count={ids.length} />
          )}
          <Button data-kind="quiet" disabled={isRunning} onClick={() => void work.restore().then(onDone)}>
            <Icon name="undo" />
            {texts.trash.restore}
          </Button>
          <Button data-kind="danger" disabled={isRunning} onClick={() => setAsking(true)}>
            <Icon name="trash" />
            {texts.trash.erase}
          </Button>
        </div>
      </section>
      {isAsking && (
        <FormDialog
          title={texts.trash.eraseTitle(ids.length)}
          submit={texts.trash.erase}
          close={texts.selection.cancel}
          isDisabled={false}
          onSubmit={() => {
            setAsking(false);
            void work.erase().then(onDone);
          }}
          onClose={() => setAsking(false)}
        >
          <p className="form-hint">{texts.trash.eraseHint}</p>
        </FormDialog>
      )}
    </>
  );
}
