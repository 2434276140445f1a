import { useId, useRef, useState } from 'react';
import { texts } from '../texts.ts';
import { SuggestionList } from './suggestion-list.tsx';
import { enterTags, moveOption, type TagProblem } from './tag-entry.ts';
import { useTagSuggestions } from './tag-suggestions.ts';
import './tags.css';

export interface TagInputProps {
  /** Names the field for a screen reader. */
  readonly label: string;
  /** Shown as chips. */
  readonly tags: readonly string[];
  /** At least one; none of them is in `tags`. */
  readonly onAdd: (tags: readonly string[]) => void;
  readonly onRemove: (tag: string) => void;
  /** Why the last change was refused. */
  readonly error?: string | undefined;
  /** Default: that tags are added. */
  readonly placeholder?: string;
  /** Escape is pressed, and there is nothing in the field that it could clear. */
  readonly onEscape?: () => void;
  readonly inputRef?: React.RefObject<HTMLInputElement | null>;
}

/** Tags as chips, and a field with completion: the combobox pattern of the ARIA Authoring Practices Guide. */
export function TagInput({
  label,
  tags,
  onAdd,
  onRemove,
  error,
  placeholder = texts.tags.placeholder,
  onEscape,
  inputRef,
}: TagInputProps): React.JSX.Element {
  const id = useId();
  const ownRef = useRef<HTMLInputElement>(null);
  const field = inputRef ?? ownRef;
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [active, setActive] = useState<number>();
  const [problem, setProblem] = useState<TagProblem>();
  const [said, setSaid] = useState('');
  const options = useTagSuggestions(text, tags, isFocused);
  const isListShown = isOpen && isFocused && options.length > 0;
  const message = problem === undefined ? error : texts.tags.problem[problem];

  function edit(value: string): void {
    setText(value);
    setActive(undefined);
    setOpen(true);
    setProblem(undefined);
  }

  function add(entered: string): void {
    const { added, rest, problem: found } = enterTags(entered, tags);
    edit(rest);
    setProblem(found);
    if (added.length === 0) return;
    setSaid(texts.tags.added(added));
    onAdd(added);
  }

  function remove(tag: string): void {
    setSaid(texts.tags.removed(tag));
    onRemove(tag);
    field.current?.focus();
  }

  function onKeyDown(event: React.KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const chosen = active === undefined || !isListShown ? undefined : options[active]?.tag;
    const last = tags.at(-1);
    if (event.key === 'Enter' || event.key === ',') add(chosen ?? text);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setOpen(true);
      setActive(
        moveOption(isListShown ? active : undefined, event.key === 'ArrowDown' ? 1 : -1, options.length),
      );
    } else if (event.key === 'Escape' && (isListShown || text !== '')) {
      if (!isListShown) edit('');
      setOpen(false);
      setActive(undefined);
    } else if (event.key === 'Escape' && onEscape !== undefined) onEscape();
    else if (event.key === 'Backspace' && text === '' && last !== undefined && !event.repeat) remove(last);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className="tags">
      <div className="tags-field" data-invalid={message !== undefined || undefined}>
        <ul className="tags-chips" aria-label={texts.tags.present(label)}>
          {tags.map((tag) => (
            <li className="tags-chip" key={tag}>
              <span className="tags-chip-text">{tag}</span>
              <button type="button" className="tags-remove" onClick={() => remove(tag)}>
                <span className="visually-hidden">{texts.tags.remove(tag)}</span>
                <svg aria-hidden="true" viewBox="0 0 12 12">
                  <path d="m2.5 2.5 7 7m0-7-7 7" />
                </svg>
              </button>
            </li>
          ))}
        </ul>
        <input
          ref={field}
          className="tags-input"
          type="text"
          role="combobox"
          autoComplete="off"
          autoCapitalize="none"
          enterKeyHint="done"
          placeholder={tags.length === 0 ? placeholder : undefined}
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={isListShown}
          aria-controls={`${id}-list`}
          aria-activedescendant={isListShown && active !== undefined ? `${id}-${active}` : undefined}
          aria-invalid={message !== undefined}
          aria-describedby={message === undefined ? undefined : `${id}-error`}
          value={text}
          onChange={(event) => edit(event.target.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text');
            if (!/[,\r\n]/.test(pasted)) return;
            event.preventDefault();
            add(text + pasted);
          }}
          onKeyDown={onKeyDown}
          onClick={() => setOpen(true)}
          onFocus={() => {
            setFocused(true);
            setOpen(true);
          }}
          onBlur={() => {
            setFocused(false);
            add(text);
          }}
        />
      </div>
      <SuggestionList
        id={id}
        label={label}
        options={isListShown ? options : []}
        active={active}
        onChoose={(tag) => add(tag)}
      />
      {message !== undefined && (
        <p className="tags-error" id={`${id}-error`}>
          {message}
        </p>
      )}
      <output className="visually-hidden">
        {isListShown ? texts.tags.suggestions(options.length) : said}
      </output>
    </div>
  );
}
