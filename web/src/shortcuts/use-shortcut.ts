import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';
import type { KeyPress } from './shortcuts.ts';
import { useShortcuts } from './use-shortcuts.ts';

export interface ShortcutOptions {
  /** The dialog in which the keys work; `any`: everywhere. Without, they work while no dialog is open. */
  readonly within?: RefObject<HTMLDialogElement | null> | 'any';
  /** Also while a text is being typed. */
  readonly typing?: boolean;
  /** Default: true. */
  readonly enabled?: boolean;
}

/**
 * While the component is there.
 *
 * @param keys as in `Shortcut`, in an array that does not change, or as one text
 * @param run returns `false` to pass the key on
 */
export function useShortcut(
  keys: string | readonly string[],
  run: (press: KeyPress) => unknown,
  { within, typing = false, enabled = true }: ShortcutOptions = {},
): void {
  const shortcuts = useShortcuts();
  const latest = useEffectEvent(run);
  const list = typeof keys === 'string' ? keys : keys.join('\n');
  // With what it belongs to, not after it is painted: a person presses what they see.
  useLayoutEffect(() => {
    if (!enabled) return undefined;
    const where = within === undefined || within === 'any' ? within : () => within.current;
    return shortcuts.register({
      keys: list.split('\n'),
      within: where,
      typing,
      run: (press) => latest(press),
    });
  }, [shortcuts, list, within, typing, enabled]);
}
