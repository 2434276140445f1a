import { useId, useLayoutEffect, useRef } from 'react';
import { FieldError } from '../controls/field-error.tsx';
import { type Draft, useDraft } from './use-draft.ts';

interface EditableTextProps extends TextFieldProps {
  readonly value: string | null;
  /** @returns why it was refused */
  readonly onSave: (value: string | null) => Promise<string | undefined>;
}

interface TextFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** `title` and `line` are one line, which Enter saves; a title is larger. */
  readonly kind: 'title' | 'line' | 'text';
}

/** A text that is edited where it stands. It is saved when it loses the focus; Escape brings the saved one back. */
export function EditableText({ value, onSave, ...field }: EditableTextProps): React.JSX.Element {
  return <DraftField {...field} draft={useDraft(value, onSave)} />;
}

interface DraftFieldProps extends TextFieldProps {
  readonly draft: Draft;
  /** Shown below the field. */
  readonly children?: React.ReactNode;
}

/** The field of a text whose draft the parent holds. */
export function DraftField({
  label,
  placeholder,
  kind,
  draft,
  children,
}: DraftFieldProps): React.JSX.Element {
  const id = useId();
  const isOneLine = kind !== 'text';
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, error, edit, save, discard } = draft;

  useLayoutEffect(() => {
    if (field.current !== null) growToText(field.current);
  });

  function onKeyDown(event: React.KeyboardEvent<HTMLElement>): void {
    if (event.nativeEvent.isComposing) return;
    const isSaving = event.key === 'Enter' && (isOneLine || event.ctrlKey || event.metaKey);
    if (event.key === 'Escape') discard();
    else if (!isSaving) return;
    leaveField(event.currentTarget);
    event.preventDefault();
    event.stopPropagation();
  }

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
        onChange={({ target }) => edit(isOneLine ? inOneLine(target.value) : target.value)}
        onBlur={save}
        onKeyDown={onKeyDown}
      />
      {children}
      <FieldError id={id} text={error} />
    </div>
  );
}

function inOneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ');
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
