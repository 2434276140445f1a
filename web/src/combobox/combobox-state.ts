/** Of a field with a list of suggestions: the combobox pattern of the ARIA Authoring Practices Guide. */
export interface ComboboxState {
  readonly text: string;
  readonly isFocused: boolean;
  /** The person wants to see the list. It is shown only if there are options. */
  readonly isOpen: boolean;
  /** Index of the option that Enter takes; `undefined` is the field itself. */
  readonly active: number | undefined;
  /** The last thing that screen readers were told; empty since the text was edited. */
  readonly said: string;
}

export type ComboboxAction =
  | { readonly kind: 'edit'; readonly text: string }
  /** The text is done with: the list closes. */
  | { readonly kind: 'settle'; readonly text: string }
  /** Another part of the page has changed the text. */
  | { readonly kind: 'replace'; readonly text: string }
  | { readonly kind: 'move'; readonly step: 1 | -1; readonly count: number }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'focus' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'open' }
  | { readonly kind: 'close' };

export function closedCombobox(text: string): ComboboxState {
  return { text, isFocused: false, isOpen: false, active: undefined, said: '' };
}

export function reduceCombobox(state: ComboboxState, action: ComboboxAction): ComboboxState {
  switch (action.kind) {
    case 'edit':
      return { ...state, text: action.text, isOpen: true, active: undefined, said: '' };
    case 'settle':
      return { ...state, text: action.text, isOpen: false, active: undefined };
    case 'replace':
      return { ...state, text: action.text };
    case 'move':
      return { ...state, isOpen: true, active: movedOption(state, action) };
    case 'say':
      return { ...state, said: action.text };
    case 'focus':
      return { ...state, isFocused: true, isOpen: true };
    case 'leave':
      return { ...state, isFocused: false };
    case 'open':
      return { ...state, isOpen: true };
    case 'close':
      return { ...state, isOpen: false, active: undefined };
  }
}

export function isListShown({ isFocused, isOpen }: ComboboxState, count: number): boolean {
  return isFocused && isOpen && count > 0;
}

interface Move {
  readonly step: 1 | -1;
  /** Options. */
  readonly count: number;
}

/** From the field, which is before the first option and after the last. In a closed list nothing is active yet. */
function movedOption(state: ComboboxState, { step, count }: Move): number | undefined {
  if (count === 0) return undefined;
  const places = count + 1;
  const place = isListShown(state, count) && state.active !== undefined ? state.active + 1 : 0;
  const moved = (place + step + places) % places;
  return moved === 0 ? undefined : moved - 1;
}

export interface PressedKey {
  readonly key: string;
  readonly repeat: boolean;
}

/** What a key means to a combobox. */
export type KeyMeaning =
  | { readonly kind: 'move'; readonly step: 1 | -1 }
  | { readonly kind: 'choose'; readonly index: number }
  /** What the text says is meant, and no option. */
  | { readonly kind: 'enter' }
  | { readonly kind: 'close' }
  /** There is no list to close. */
  | { readonly kind: 'escape' }
  /** Backspace in the empty field: what is before the field. */
  | { readonly kind: 'remove' };
