import { lazy, Suspense } from 'react';
import { useGallery } from '../gallery.tsx';
import { useStore } from '../store.ts';

const SelectionToolbar = lazy(async () => {
  const { SelectionToolbar } = await import('./selection-toolbar.tsx');
  return { default: SelectionToolbar };
});

/** What can be done with the selected pictures, as long as there are any. */
export function SelectionBar(): React.JSX.Element | null {
  const count = useStore(useGallery().selection.ids).size;
  if (count === 0) return null;
  return (
    <Suspense>
      <SelectionToolbar count={count} />
    </Suspense>
  );
}
