import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { useView } from '../contexts/view.ts';
import { useStore } from '../store.ts';

/** After the first pictures, and before a person has selected one and presses a key. */
const PRELOAD_AFTER_MS = 2000;

const SelectionToolbar = lazy(loadToolbar);

/** What can be done with the selected pictures, as long as there are any. */
export function SelectionBar(): React.JSX.Element | null {
  const count = useStore(useView().selection.ids).size;
  useEffect(() => {
    // Without it, it is loaded with the first selection, which says what has gone wrong.
    const timer = setTimeout(() => void loadToolbar().catch(() => undefined), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (count === 0) return null;
  return (
    <Suspense>
      <SelectionToolbar count={count} />
    </Suspense>
  );
}

async function loadToolbar(): Promise<{ readonly default: ComponentType<{ readonly count: number }> }> {
  return { default: (await import('./selection-toolbar.tsx')).SelectionToolbar };
}
