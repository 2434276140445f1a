import { useStoreValue } from '../base/use-store-value.ts';
import { ComingDialog } from '../states/coming-dialog.tsx';
import { lazyPart } from '../states/lazy-part.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { useLeave } from '../view-state/use-leave.ts';

const CompareDialog = lazyPart(() => import('./compare-dialog.tsx'), 'CompareDialog', ComingDialog);

const NONE = { compare: [] };

/** Pictures side by side: `compare` of the address bar. */
export function Compare(): React.JSX.Element | null {
  const ids = useStoreValue(useAddressBar().view, (view) => view.compare);
  const leave = useLeave(ids.length > 0, NONE);
  return ids.length === 0 ? null : <CompareDialog ids={ids} onClose={leave} />;
}
