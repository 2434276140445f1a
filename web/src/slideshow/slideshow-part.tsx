import { useView } from '../contexts/view.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { useStoreValue } from '../store.ts';
import { useLeave } from '../view-state/use-leave.ts';

const SlideshowDialog = lazyPart(async () => (await import('./slideshow-dialog.tsx')).SlideshowDialog);

const NONE = { slideshow: undefined };

/** `slideshow` of the address bar. */
export function SlideshowPart(): React.JSX.Element | null {
  const seed = useStoreValue(useView().addressBar.view, (view) => view.slideshow);
  const leave = useLeave(seed !== undefined, NONE);
  return seed === undefined ? null : <SlideshowDialog seed={seed} onClose={leave} />;
}
