interface FieldErrorProps {
  /** That `aria-describedby` of the field names. */
  readonly id?: string;
  /** Nothing is shown without. */
  readonly text: string | undefined;
}

/** Why a value was refused. */
export function FieldError({ id, text }: FieldErrorProps): React.JSX.Element | null {
  if (text === undefined) return null;
  return (
    <p className="panel-error" id={id} role="alert">
      {text}
    </p>
  );
}
