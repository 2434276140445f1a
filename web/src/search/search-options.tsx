/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events --
   In the combobox pattern the field keeps the focus and handles the keys. */
import { useLayoutEffect, useRef } from 'react';
import { Icon } from '../icons/icon.tsx';
import { texts } from '../texts.ts';
import type { Suggestion } from './suggestions.ts';

interface SearchOptionsProps {
  /** Of the combobox. */
  readonly id: string;
  readonly options: readonly Suggestion[];
  readonly active: number | undefined;
  readonly onChoose: (suggestion: Suggestion) => void;
}

const ICONS = { tag: 'tag', date: 'calendar', type: 'image' } as const;

export function SearchOptions({ id, options, active, onChoose }: SearchOptionsProps): React.JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (active !== undefined) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      className="search-options floating"
      role="listbox"
      id={`${id}-list`}
      aria-label={texts.search.suggestionsLabel}
      hidden={options.length === 0}
    >
      {options.map((option, index) => (
        <div
          key={`${option.kind} ${option.label}`}
          id={`${id}-${index}`}
          className="search-option"
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          // A press would take the focus from the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          <Icon name={ICONS[option.kind]} />
          <span className="visually-hidden">{texts.search.kinds[option.kind]}</span>
          <span className="search-option-text">
            {option.hint ?? option.label}
            {option.hint !== undefined && <span className="search-option-detail"> {option.label}</span>}
          </span>
          {option.count !== undefined && (
            <span className="search-option-detail">{option.count.toLocaleString('en')}</span>
          )}
        </div>
      ))}
    </div>
  );
}
