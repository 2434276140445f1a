import { useView } from '../contexts/view.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { useStore } from '../store.ts';

const SelectionToolbar = lazyPart(async () => (await import('./selection-toolbar.tsx')).SelectionToolbar);

/** What can be done with the selected pictures, as long as there are any. */
export function SelectionBar(): React.JSX.Element | null {
  const count = useStore(useView().selection.ids).size;
  return count === 0 ? null : <SelectionToolbar count={count} />;
}
