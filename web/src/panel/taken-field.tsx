import type { ImageMetadata } from '@image-catalog/client';
import { useId, useRef, useState } from 'react';
import { type TakenProblem, takenAtOf, takenFieldsOf } from '../catalog/taken-time.ts';
import { Button } from '../controls/button.tsx';
import { FieldError } from '../controls/field-error.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { commonTexts } from '../languages/common-texts.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { panelTexts } from './panel-texts.ts';
import { TakenText } from './taken-text.tsx';

interface TakenFieldProps {
  readonly metadata: ImageMetadata;
  /** @returns why it was refused */
  readonly onSave: (takenAt: string | null) => Promise<string | undefined>;
}

/** When the picture was taken, and who says so. */
export function TakenField({ metadata, onSave }: TakenFieldProps): React.JSX.Element {
  const [isEditing, setEditing] = useState(false);
  const [error, setError] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const { takenAt } = metadata;

  function close(): void {
    setEditing(false);
    // When it is there again.
    requestAnimationFrame(() => button.current?.focus());
  }

  async function save(value: string | null): Promise<void> {
    close();
    const refusal = value === takenAt ? undefined : await onSave(value);
    setError(refusal);
    if (refusal !== undefined) setEditing(true);
  }

  return (
    <>
      <div className="panel-row">
        <div className="panel-row-text">
          <TakenText metadata={metadata} />
        </div>
        {!isEditing && (
          <IconButton
            icon="edit"
            ref={button}
            label={panelTexts().editTaken}
            onClick={() => setEditing(true)}
          />
        )}
      </div>
      {isEditing && (
        <TakenForm metadata={metadata} error={error} onSave={(value) => void save(value)} onCancel={close} />
      )}
    </>
  );
}

interface TakenFormProps {
  readonly metadata: ImageMetadata;
  readonly error: string | undefined;
  readonly onSave: (takenAt: string | null) => void;
  readonly onCancel: () => void;
}

function TakenForm({ metadata, error, onSave, onCancel }: TakenFormProps): React.JSX.Element {
  const id = useId();
  const { takenAt } = metadata;
  const [fields, setFields] = useState(() => takenFieldsOf(takenAt));
  const [problem, setProblem] = useState<TakenProblem>();
  useShortcut('Escape', onCancel, { within: 'any', typing: true });
  const message = problem === undefined ? error : panelTexts().takenProblem[problem];
  const describedBy = { 'aria-describedby': message === undefined ? undefined : id };

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    const result = takenAtOf(fields, takenAt);
    if ('problem' in result) setProblem(result.problem);
    else onSave(result.takenAt);
  }

  return (
    <form className="panel-form" noValidate onSubmit={submit}>
      <label className="panel-label">
        {panelTexts().time}
        <input
          {...describedBy}
          ref={focusFirst}
          className="panel-input"
          type="datetime-local"
          step="1"
          value={fields.local}
          aria-invalid={problem === 'time'}
          onChange={(event) => setFields({ ...fields, local: event.target.value })}
        />
      </label>
      <label className="panel-label">
        {panelTexts().offset}
        <input
          {...describedBy}
          className="panel-input"
          type="text"
          autoComplete="off"
          placeholder={panelTexts().offsetHint}
          value={fields.offset}
          aria-invalid={problem === 'offset'}
          onChange={(event) => setFields({ ...fields, offset: event.target.value })}
        />
      </label>
      <FieldError id={id} text={message} />
      <TakenButtons metadata={metadata} onCancel={onCancel} onReset={() => onSave(null)} />
    </form>
  );
}

interface TakenButtonsProps {
  readonly metadata: ImageMetadata;
  readonly onCancel: () => void;
  /** What was set by hand gives way to what the camera says. */
  readonly onReset: () => void;
}

function TakenButtons({ metadata, onCancel, onReset }: TakenButtonsProps): React.JSX.Element {
  const captured = metadata.capture['takenAt'] ?? null;
  return (
    <div className="panel-buttons">
      <button type="submit" className="button" data-kind="primary">
        {panelTexts().save}
      </button>
      <Button onClick={onCancel}>{commonTexts().cancel}</Button>
      {metadata.takenAt !== captured && (
        <Button onClick={onReset}>
          {captured === null ? panelTexts().clearTaken : panelTexts().cameraTime}
        </Button>
      )}
    </div>
  );
}

function focusFirst(field: HTMLInputElement | null): void {
  field?.focus();
}
