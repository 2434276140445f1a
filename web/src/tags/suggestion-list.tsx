/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events --
   In the combobox pattern the field keeps the focus and handles the keys. */
import { useLayoutEffect, useRef } from 'react';
import { texts } from '../texts.ts';
import type { TagSuggestion } from './tag-suggestions.ts';

interface SuggestionListProps {
  /** Of the combobox. */
  readonly id: string;
  readonly label: string;
  readonly options: readonly TagSuggestion[];
  readonly active: number | undefined;
  readonly onChoose: (tag: string) => void;
}

export function SuggestionList({
  id,
  label,
  options,
  active,
  onChoose,
}: SuggestionListProps): React.JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const isShown = options.length > 0;
  useLayoutEffect(() => {
    if (isShown && list.current !== null) placeList(list.current);
  }, [isShown]);
  useLayoutEffect(() => {
    if (active !== undefined) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      className="tags-list"
      role="listbox"
      id={`${id}-list`}
      aria-label={texts.tags.suggestionsFor(label)}
      hidden={!isShown}
    >
      {options.map(({ tag, count }, index) => (
        <div
          key={tag}
          id={`${id}-${index}`}
          className="tags-option"
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          // A press would take the focus from the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(tag)}
        >
          <span className="tags-option-text">{tag}</span>
          <span className="tags-option-count">{count.toLocaleString('en')}</span>
        </div>
      ))}
    </div>
  );
}

/** Above the field if there is too little room below it. */
function placeList(list: HTMLElement): void {
  delete list.dataset['above'];
  const { bottom, height } = list.getBoundingClientRect();
  const { top } = (list.parentElement ?? list).getBoundingClientRect();
  if (bottom > window.innerHeight && top > height) list.dataset['above'] = '';
}
