import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useView } from '../contexts/view.ts';
import { Icon } from '../icons/icon.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { withQueries } from '../states/with-queries.tsx';
import { useStore } from '../store.ts';
import { moveOption } from '../tags/tag-entry.ts';
import { texts } from '../texts.ts';
import { type ViewState, validWords } from '../view-state/view-state.ts';
import { filterChips } from './filter-chips.ts';
import { SearchOptions } from './search-options.tsx';
import type { Suggestion } from './suggestions.ts';
import { useSuggestions } from './use-suggestions.ts';
import { WordSearch } from './word-search.ts';

/** Words are searched for while they are typed, as soon as the typing pauses. */
const TYPING_PAUSE_MS = 350;

/** The field covers the header as long as it has the focus. */
const PHONE = '(max-width: 639px)';

const KEY_HINT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/** Words, tags and dates: the combobox pattern of the ARIA Authoring Practices Guide. */
function Field(): React.JSX.Element {
  const { addressBar } = useView();
  const view = useStore(addressBar.view);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [words] = useState(() => new WordSearch(addressBar));
  const [text, setText] = useState(view.q);
  /** What was typed and is not searched for yet. */
  const [typed, setTyped] = useState<string>();
  const [shownWords, setShownWords] = useState(view.q);
  const [isFocused, setFocused] = useState(false);
  const [isListOpen, setListOpen] = useState(false);
  const [active, setActive] = useState<number>();
  const [said, setSaid] = useState('');
  const options = useSuggestions(text, view, isFocused);
  const isListShown = isListOpen && isFocused && options.length > 0;

  // Back, forward and chips change the words, too.
  if (shownWords !== view.q) {
    setShownWords(view.q);
    if (validWords(text) !== view.q) setText(view.q);
  }

  const search = useEffectEvent((pending: string) => {
    // What may become a date is not searched for as words until it is entered.
    const isDate = pending.trim() !== '' && options.some(({ kind }) => kind === 'date');
    if (!isDate) words.type(pending);
  });

  useEffect(() => {
    if (typed === undefined) return undefined;
    const timer = setTimeout(() => search(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  function edit(value: string): void {
    setText(value);
    setTyped(value);
    setActive(undefined);
    setListOpen(true);
    setSaid('');
  }

  function settle(value: string, change?: Partial<ViewState>): void {
    setText(validWords(value));
    setTyped(undefined);
    setActive(undefined);
    setListOpen(false);
    words.apply(value, change);
  }

  function choose({ label, change, rest }: Suggestion): void {
    settle(rest, change);
    setSaid(texts.search.added(label));
  }

  function focus(): void {
    field.current?.focus();
    field.current?.select();
  }

  function onEscape(): void {
    if (isListShown) {
      setListOpen(false);
      setActive(undefined);
    } else if (text === '') field.current?.blur();
    else settle('');
  }

  function removeLastChip(): void {
    const chip = filterChips(view).findLast(({ kind }) => kind !== 'words');
    if (chip === undefined) return;
    addressBar.push(chip.removal);
    setSaid(texts.search.removed(chip.label));
  }

  function onKeyDown(event: React.KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const chosen = active === undefined || !isListShown ? undefined : options[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setListOpen(true);
      setActive(
        moveOption(isListShown ? active : undefined, event.key === 'ArrowDown' ? 1 : -1, options.length),
      );
    } else if (event.key === 'Enter' && chosen !== undefined) choose(chosen);
    else if (event.key === 'Escape') onEscape();
    else if (event.key === 'Backspace' && text === '' && !event.repeat) removeLastChip();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  useShortcut('/', focus);
  useShortcut('mod+k', focus, { typing: true });

  return (
    <form
      className="search"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <search> has no submit
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        settle(text);
        if (matchMedia(PHONE).matches) field.current?.blur();
      }}
    >
      <div className="search-field">
        <Icon name="search" />
        <input
          ref={field}
          className="search-input"
          type="text"
          role="combobox"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          placeholder={texts.search.placeholder}
          aria-label={texts.search.label}
          aria-autocomplete="list"
          aria-expanded={isListShown}
          aria-controls={`${id}-list`}
          aria-activedescendant={isListShown && active !== undefined ? `${id}-${active}` : undefined}
          value={text}
          onChange={(event) => edit(event.target.value)}
          onKeyDown={onKeyDown}
          onClick={() => setListOpen(true)}
          onFocus={() => {
            setFocused(true);
            setListOpen(true);
          }}
          onBlur={(event) => {
            if (document.activeElement === event.currentTarget) return;
            setFocused(false);
            settle(text);
          }}
        />
        {text === '' ? (
          <kbd className="search-key" aria-hidden="true">
            {KEY_HINT}
          </kbd>
        ) : (
          <button
            type="button"
            className="search-clear"
            aria-label={texts.search.clear}
            onClick={() => {
              settle('');
              field.current?.focus();
            }}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      <SearchOptions id={id} options={isListShown ? options : []} active={active} onChoose={choose} />
      <output className="visually-hidden">
        {said === '' && isListShown ? texts.search.suggestions(options.length) : said}
      </output>
    </form>
  );
}

export const SearchField = withQueries(Field);
