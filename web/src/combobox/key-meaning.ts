import { type ComboboxState, isListShown, type KeyMeaning, type PressedKey } from './combobox-state.ts';

/**
 * @param count options
 * @returns `undefined` if the key is one of the field, or of the page
 */
export function keyMeaning(
  { key, repeat }: PressedKey,
  state: ComboboxState,
  count: number,
  enterKeys: readonly string[],
): KeyMeaning | undefined {
  const isShown = isListShown(state, count);
  if (key === 'ArrowDown') return { kind: 'move', step: 1 };
  if (key === 'ArrowUp') return { kind: 'move', step: -1 };
  if (enterKeys.includes(key)) {
    return isShown && state.active !== undefined
      ? { kind: 'choose', index: state.active }
      : { kind: 'enter' };
  }
  if (key === 'Escape') return { kind: isShown ? 'close' : 'escape' };
  // Not the last of the presses that have emptied the field.
  if (key === 'Backspace' && state.text === '' && !repeat) return { kind: 'remove' };
  return undefined;
}
