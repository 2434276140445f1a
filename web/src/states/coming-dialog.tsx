import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { ComingPart } from './coming-part.tsx';

/** As long as the code of a dialog is not there. The page below can be used meanwhile. */
export function ComingDialog({ onClose }: { readonly onClose: () => void }): React.JSX.Element {
  useShortcut('Escape', onClose);
  return (
    <div className="coming-dialog floating">
      <ComingPart back={onClose} />
    </div>
  );
}
