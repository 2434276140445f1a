import { type ReactNode, useId } from 'react';
import { Button } from '../controls/button.tsx';
import { Modal } from './modal.tsx';
import { useModal } from './use-modal.ts';

interface FormDialogProps {
  readonly title: string;
  /** Of the buttons. */
  readonly submit: string;
  readonly close: string;
  /** Nothing can be submitted. */
  readonly isDisabled: boolean;
  /** It must not be closed. */
  readonly isRunning?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form over the page, with a button that does it and one that leaves it. */
export function FormDialog(props: FormDialogProps): React.JSX.Element {
  const { title, submit, close, isDisabled, isRunning = false, onSubmit, onClose, children } = props;
  const id = useId();
  return (
    <Modal
      ref={useModal()}
      className="form-dialog floating"
      tabIndex={-1}
      aria-labelledby={id}
      onClose={() => isRunning || onClose()}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isDisabled) onSubmit();
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
        <div className="form-buttons">
          <Button disabled={isRunning} onClick={onClose}>
            {close}
          </Button>
          <button type="submit" className="button" data-kind="primary" disabled={isDisabled}>
            {submit}
          </button>
        </div>
      </form>
    </Modal>
  );
}
