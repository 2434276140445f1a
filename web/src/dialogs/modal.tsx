import { NoticeList } from '../notices/notice-list.tsx';
import { Banner } from '../states/banner.tsx';

interface ModalProps extends React.ComponentProps<'dialog'> {
  /** Of `useModal`. */
  readonly ref: React.RefObject<HTMLDialogElement | null>;
  /** The person wants to leave it. */
  readonly onClose: () => void;
}

/** The page behind a modal dialog is inert: notices and outages are shown in the dialog. */
export function Modal({ onClose, children, ...props }: ModalProps): React.JSX.Element {
  return (
    <dialog
      {...props}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
      <Banner />
      <NoticeList />
    </dialog>
  );
}
