import { createElement, useState } from 'react';
import { Part } from '../base/part.ts';
import { useStoreValue } from '../base/use-store-value.ts';
import { usePart } from '../states/use-part.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { useLeave } from '../view-state/use-leave.ts';
import { OpeningPicture } from './opening-picture.tsx';

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
  const [early, setEarly] = useState<number>();
  if (image !== early && image !== undefined && dialog === undefined) setEarly(image);
  if (shown === undefined) return null;
  if (dialog === undefined) return image === undefined ? null : <OpeningPicture id={image} onClose={close} />;
  return createElement(dialog, {
    id: shown,
    isInPlace: shown === early,
    isClosing: image === undefined,
    onClose: close,
    onClosed: () => {
      setShown((last) => (last === shown ? undefined : last));
      setEarly(undefined);
    },
  });
}
