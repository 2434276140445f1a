import { createElement, useState } from 'react';
import { Part } from '../base/part.ts';
import { useStoreValue } from '../base/use-store-value.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { usePart } from '../states/use-part.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { useLeave } from '../view-state/use-leave.ts';

const viewerDialog = new Part(
  () => import('./viewer-dialog.tsx'),
  ({ ViewerDialog }) => ViewerDialog,
);

const CLOSED = { image: undefined };

/** One picture over the whole window, with its panel: `image` of the address bar. */
export function Viewer(): React.JSX.Element | null {
  const addressBar = useAddressBar();
  const image = useStoreValue(addressBar.view, (view) => view.image);
  // The picture stays until the dialog has closed.
  const [shown, setShown] = useState(image);
  if (image !== undefined && image !== shown) setShown(image);
  const close = useLeave(image !== undefined, CLOSED);
  const dialog = usePart(viewerDialog, image !== undefined);
  // Until the dialog is there, which has keys of its own.
  useShortcut('Escape', close, { enabled: image !== undefined && dialog === undefined });
  if (shown === undefined || dialog === undefined) return null;
  return createElement(dialog, {
    id: shown,
    isClosing: image === undefined,
    onClose: close,
    onClosed: () => setShown((last) => (last === shown ? undefined : last)),
  });
}
