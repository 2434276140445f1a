interface ChoiceProps<T extends string> {
  readonly name: string;
  /** For screen readers. */
  readonly label: string;
  /** What is shown of each value. */
  readonly options: Readonly<Record<T, React.ReactNode>>;
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

/** One of a few values, all of them in view. */
export function Choice<T extends string>(props: ChoiceProps<T>): React.JSX.Element {
  const { name, label, options, chosen, onChoose } = props;
  return (
    <fieldset className="choice">
      <legend className="visually-hidden">{label}</legend>
      {(Object.keys(options) as T[]).map((value) => (
        <label key={value} className="choice-option">
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          {options[value]}
        </label>
      ))}
    </fieldset>
  );
}
