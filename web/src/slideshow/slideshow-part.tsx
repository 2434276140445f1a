import { useStoreValue } from '../base/use-store-value.ts';
import { ComingDialog } from '../states/coming-dialog.tsx';
import { lazyPart } from '../states/lazy-part.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { useLeave } from '../view-state/use-leave.ts';

const SlideshowDialog = lazyPart(() => import('./slideshow-dialog.tsx'), 'SlideshowDialog', ComingDialog);

const NONE = { slideshow: undefined };

/** `slideshow` of the address bar. */
export function SlideshowPart(): React.JSX.Element | null {
  const seed = useStoreValue(useAddressBar().view, (view) => view.slideshow);
  const leave = useLeave(seed !== undefined, NONE);
  return seed === undefined ? null : <SlideshowDialog seed={seed} onClose={leave} />;
}
