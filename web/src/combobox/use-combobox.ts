import {
  type ActionDispatch,
  type InputHTMLAttributes,
  type RefObject,
  useId,
  useReducer,
  useRef,
} from 'react';
import {
  type ComboboxAction,
  type ComboboxState,
  closedCombobox,
  isListShown,
  type KeyMeaning,
  reduceCombobox,
} from './combobox-state.ts';
import { keyMeaning } from './key-meaning.ts';

export interface Combobox {
  readonly id: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly state: ComboboxState;
  readonly dispatch: ActionDispatch<[ComboboxAction]>;
}

/** @param input if others move the focus to the field */
export function useCombobox(text: string, input?: RefObject<HTMLInputElement | null>): Combobox {
  const id = useId();
  const own = useRef<HTMLInputElement>(null);
  const [state, dispatch] = useReducer(reduceCombobox, text, closedCombobox);
  return { id, input: input ?? own, state, dispatch };
}

export interface ComboboxHandlers<Option> {
  /** Default: Enter. */
  readonly enterKeys?: readonly string[];
  readonly onEdit: (text: string) => void;
  readonly onChoose: (option: Option) => void;
  /** These keys are used up unless the handler returns `false`. */
  readonly onEnter: () => unknown;
  readonly onEscape: () => unknown;
  readonly onRemove: () => unknown;
  /** The field has lost the focus. */
  readonly onLeave: () => void;
}

type FieldProps = Readonly<InputHTMLAttributes<HTMLInputElement>> & {
  readonly ref: RefObject<HTMLInputElement | null>;
};

export interface ComboboxProps<Option> {
  readonly isListShown: boolean;
  /** Of the `<input>`. */
  readonly field: FieldProps;
  /** Of the `OptionList`. */
  readonly list: {
    readonly id: string;
    readonly options: readonly Option[];
    readonly active: number | undefined;
    readonly onChoose: (option: Option) => void;
  };
}

const ENTER = ['Enter'];

/** The field and the list of a combobox with these options. */
export function comboboxProps<Option>(
  { id, input, state, dispatch }: Combobox,
  options: readonly Option[],
  handlers: ComboboxHandlers<Option>,
): ComboboxProps<Option> {
  const isShown = isListShown(state, options.length);
  const { active } = state;
  const act = actions(dispatch, options, handlers);
  const field: FieldProps = {
    ...NATIVE,
    ref: input,
    'aria-expanded': isShown,
    'aria-controls': `${id}-list`,
    'aria-activedescendant': isShown && active !== undefined ? `${id}-${active}` : undefined,
    value: state.text,
    onChange: ({ target }) => {
      dispatch({ kind: 'edit', text: target.value });
      handlers.onEdit(target.value);
    },
    onKeyDown: (event) => {
      // A key that ends the composition of a character is no key of the combobox.
      if (event.nativeEvent.isComposing) return;
      const meaning = keyMeaning(event, state, options.length, handlers.enterKeys ?? ENTER);
      if (meaning === undefined || act(meaning) === false) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onClick: () => dispatch({ kind: 'open' }),
    onFocus: () => dispatch({ kind: 'focus' }),
    onBlur: ({ currentTarget }) => {
      // The window has lost the focus, not the field.
      if (document.activeElement === currentTarget) return;
      dispatch({ kind: 'leave' });
      handlers.onLeave();
    },
  };
  return {
    isListShown: isShown,
    field,
    list: { id, options: isShown ? options : [], active, onChoose: handlers.onChoose },
  };
}

const NATIVE = {
  type: 'text',
  role: 'combobox',
  autoComplete: 'off',
  autoCapitalize: 'none',
  'aria-autocomplete': 'list',
} as const;

/** @returns `false` if the key was not used */
function actions<Option>(
  dispatch: Combobox['dispatch'],
  options: readonly Option[],
  handlers: ComboboxHandlers<Option>,
): (meaning: KeyMeaning) => unknown {
  return (meaning) => {
    switch (meaning.kind) {
      case 'move':
        return dispatch({ kind: 'move', step: meaning.step, count: options.length });
      case 'close':
        return dispatch({ kind: 'close' });
      case 'choose': {
        const option = options[meaning.index];
        return option === undefined ? false : handlers.onChoose(option);
      }
      case 'enter':
        return handlers.onEnter();
      case 'escape':
        return handlers.onEscape();
      case 'remove':
        return handlers.onRemove();
    }
  };
}
