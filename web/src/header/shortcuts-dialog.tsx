import { useStore } from '../base/use-store.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import { Boundary } from '../states/boundary.tsx';
import { ComingDialog } from '../states/coming-dialog.tsx';
import { lazyPart } from '../states/lazy-part.tsx';

const ShortcutsList = lazyPart(() => import('./shortcuts-list.tsx'), 'ShortcutsList', ComingDialog);

/** The list of keys, on `?`. */
export function ShortcutsDialog(): React.JSX.Element | null {
  const { listed } = useShortcuts();
  const open = useStore(listed);
  useShortcut('?', () => listed.set(true), { within: 'any' });
  if (!open) return null;
  return (
    <Boundary>
      <ShortcutsList onClose={() => listed.set(false)} />
    </Boundary>
  );
}
