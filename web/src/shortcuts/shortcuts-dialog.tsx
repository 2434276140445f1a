import { usePage } from '../contexts/page.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Boundary } from '../states/boundary.tsx';
import { useStore } from '../store.ts';
import { useShortcut } from './use-shortcut.ts';

const ShortcutsList = lazyPart(async () => (await import('./shortcuts-list.tsx')).ShortcutsList);

/** The list of keys, on `?`. */
export function ShortcutsDialog(): React.JSX.Element | null {
  const { listed } = usePage().shortcuts;
  const open = useStore(listed);
  useShortcut('?', () => listed.set(true), { within: 'any' });
  if (!open) return null;
  return (
    <Boundary>
      <ShortcutsList onClose={() => listed.set(false)} />
    </Boundary>
  );
}
