import { useState } from 'react';
import { useStore } from '../base/use-store.ts';
import { type Combobox, type ComboboxProps, comboboxProps, useCombobox } from '../combobox/use-combobox.ts';
import type { AddressBar } from '../view-state/address-bar.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { type ViewState, validWords } from '../view-state/view-state.ts';
import { certainDate } from './certain-date.ts';
import { filterChips } from './filter-chips.ts';
import { searchTexts } from './search-texts.ts';
import type { Suggestion } from './suggestions.ts';
import { useOnlyReading } from './use-only-reading.ts';
import { useSuggestions } from './use-suggestions.ts';
import { useTypingPause } from './use-typing-pause.ts';
import { WordSearch } from './word-search.ts';

/** Words are searched for while they are typed, as soon as the typing pauses. */
const TYPING_PAUSE_MS = 350;

export interface Search {
  readonly combobox: ComboboxProps<Suggestion>;
  readonly isEmpty: boolean;
  /** For screen readers. */
  readonly announcement: string;
  /**
   * Searches for the words as they are, or for the date that they mean.
   *
   * @returns whether that is all; otherwise they can mean a date, too, and the list offers it
   */
  readonly submit: () => boolean;
  readonly clear: () => void;
  /** Selects the words, so that typing replaces them. */
  readonly focus: () => void;
  readonly leave: () => void;
}

export function useSearch(): Search {
  const addressBar = useAddressBar();
  const view = useStore(addressBar.view);
  const box = useCombobox(view.q);
  const { text, isFocused, said } = box.state;
  // As long as the text stays what was entered.
  const [entered, setEntered] = useState('');
  const isEntered = text !== '' && text === entered;
  const { known, listed } = useSuggestions(text, view, isFocused || isEntered);
  const { say, type, settle, choose } = useWords(box, known);
  useOtherWords(view.q, (q) => {
    if (validWords(text) !== q) box.dispatch({ kind: 'replace', text: q });
  });

  useOnlyReading(isEntered, listed, ({ label, change, rest }) => {
    setEntered('');
    // In the place of the words: back leads to the view before them.
    addressBar.replace({ ...change, q: rest });
    box.dispatch({ kind: 'settle', text: validWords(rest) });
    say(searchTexts().added(label));
  });

  function submit(): boolean {
    const date = certainDate(text, known);
    if (date !== undefined) choose(date);
    else settle(text);
    setEntered(validWords(text));
    const isDone = date !== undefined || !offersDate(text, known);
    if (!isDone) box.dispatch({ kind: 'open' });
    return isDone;
  }

  const leave = (): void => box.input.current?.blur();
  const combobox = comboboxProps(box, listed, {
    onEdit: type,
    onChoose: choose,
    // The form submits.
    onEnter: () => false,
    onEscape: () => (text === '' ? leave() : settle('')),
    onRemove: () => removeLast(view, addressBar, say),
    onLeave: () => settle(text),
  });
  return {
    combobox,
    isEmpty: text === '',
    announcement: said === '' && combobox.isListShown ? searchTexts().suggestions(listed.length) : said,
    submit,
    clear: () => (settle(''), box.input.current?.focus()),
    focus: () => focusAll(box.input.current),
    leave,
  };
}

interface Words {
  /** To screen readers. */
  readonly say: (text: string) => void;
  readonly type: (text: string) => void;
  /** Shows what the text finds, and what the change leaves of it. */
  readonly settle: (text: string, change?: Partial<ViewState>) => void;
  readonly choose: (suggestion: Suggestion) => void;
}

/** What becomes of the text of the field. */
function useWords(box: Combobox, options: readonly Suggestion[]): Words {
  const addressBar = useAddressBar();
  const [words] = useState(() => new WordSearch(addressBar));
  const typing = useTypingPause(TYPING_PAUSE_MS, (pending) => {
    // What can only be a date is not searched for as words.
    if (certainDate(pending, options) === undefined) words.type(pending);
  });

  const say = (said: string): void => box.dispatch({ kind: 'say', text: said });
  function settle(value: string, change?: Partial<ViewState>): void {
    box.dispatch({ kind: 'settle', text: validWords(value) });
    typing.cancel();
    words.apply(value, change);
  }

  function choose({ label, change, rest }: Suggestion): void {
    settle(rest, change);
    say(searchTexts().added(label));
  }

  return { say, type: typing.type, settle, choose };
}

function offersDate(text: string, options: readonly Suggestion[]): boolean {
  return text.trim() !== '' && options.some(({ kind }) => kind === 'date');
}

/** Typing replaces the words. */
function focusAll(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}

function removeLast(view: ViewState, addressBar: AddressBar, say: (text: string) => void): void {
  const chip = filterChips(view).findLast(({ kind }) => kind !== 'words');
  if (chip === undefined) return;
  addressBar.push(chip.removal);
  say(searchTexts().removed(chip.label));
}

/** Back, forward and chips change the words, too. */
function useOtherWords(words: string, onChange: (words: string) => void): void {
  const [shown, setShown] = useState(words);
  if (shown === words) return;
  setShown(words);
  onChange(words);
}
