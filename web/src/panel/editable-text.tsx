import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

interface EditableTextProps {
  readonly label: string;
  readonly placeholder: string;
  /** `title`: one line, larger; Enter saves. */
  readonly kind: 'title' | 'text';
  readonly value: string | null;
  /** @returns why it was refused */
  readonly onSave: (value: string | null) => Promise<string | undefined>;
}

/** A text that is edited where it stands. It is saved when it loses the focus; Escape brings the saved one back. */
export function EditableText({
  label,
  placeholder,
  kind,
  value,
  onSave,
}: EditableTextProps): React.JSX.Element {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState<string>();
  const [error, setError] = useState<string>();
  const text = draft ?? value ?? '';

  useLayoutEffect(() => {
    if (field.current !== null) growToText(field.current);
  });

  async function save(): Promise<void> {
    if (draft === undefined) return;
    const entered = draft.trim();
    setDraft(undefined);
    setError(undefined);
    if (entered === (value ?? '')) return;
    const refusal = await onSave(entered === '' ? null : entered);
    if (refusal === undefined) return;
    // Nothing that was written is lost.
    setDraft(draft);
    setError(refusal);
  }

  function discard(): void {
    // Before the field loses the focus, which would save the draft.
    flushSync(() => {
      setDraft(undefined);
      setError(undefined);
    });
  }
  const saveAtEnd = useEffectEvent(() => void save());
  // A field that is removed with the focus gets no blur: the back button.
  useEffect(() => () => saveAtEnd(), []);

  return (
    <div className="panel-text" data-kind={kind}>
      <textarea
        ref={field}
        rows={1}
        className="panel-field"
        aria-label={label}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : id}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          const { value: typed } = event.target;
          setDraft(kind === 'title' ? typed.replace(/\s*[\r\n]+\s*/g, ' ') : typed);
        }}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const isSaving = event.key === 'Enter' && (kind === 'title' || event.ctrlKey || event.metaKey);
          if (event.key === 'Escape') discard();
          else if (!isSaving) return;
          leaveField(event.currentTarget);
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {error !== undefined && (
        <p className="panel-error" id={id} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** The keys of the viewer work again. */
function leaveField(field: HTMLElement): void {
  field.closest('dialog')?.focus();
}

/** For browsers that have no `field-sizing: content` yet. */
function growToText(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}
