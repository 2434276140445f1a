/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events --
   In the combobox pattern the field keeps the focus and handles the keys. */
import { useLayoutEffect, useRef } from 'react';
import './option-list.css';

interface OptionListProps<Option> {
  /** Of the combobox. The list has `<id>-list`, its options have `<id>-0` and so on. */
  readonly id: string;
  readonly className: string;
  readonly optionClassName: string;
  readonly label: string;
  readonly options: readonly Option[];
  readonly active: number | undefined;
  readonly keyOf: (option: Option) => string;
  readonly onChoose: (option: Option) => void;
  /** Called with the list each time it is shown, before it is painted. */
  readonly onShown?: (list: HTMLElement) => void;
  /** What an option shows. */
  readonly children: (option: Option) => React.ReactNode;
}

/** The list of a combobox. */
export function OptionList<Option>(props: OptionListProps<Option>): React.JSX.Element {
  const { id, options, active, onShown } = props;
  const list = useRef<HTMLDivElement>(null);
  const isShown = options.length > 0;
  useLayoutEffect(() => {
    if (isShown && list.current !== null) onShown?.(list.current);
  }, [isShown, onShown]);
  useLayoutEffect(() => {
    if (active !== undefined) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      className={props.className}
      role="listbox"
      id={`${id}-list`}
      aria-label={props.label}
      hidden={!isShown}
    >
      {options.map((option, index) => (
        <div
          key={props.keyOf(option)}
          id={`${id}-${index}`}
          className={`option ${props.optionClassName}`}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          // A press would take the focus from the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => props.onChoose(option)}
        >
          {props.children(option)}
        </div>
      ))}
    </div>
  );
}
