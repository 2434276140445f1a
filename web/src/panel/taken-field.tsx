import type { ImageMetadata } from '@image-catalog/client';
import { useId, useRef, useState } from 'react';
import { IconButton } from '../icons/icon-button.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { texts } from '../texts.ts';
import { formatTaken, type TakenProblem, takenAtOf, takenFieldsOf } from './taken-time.ts';

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
  const { takenAt, capture } = metadata;
  const isByHand = takenAt !== capture['takenAt'];

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
          <span>{takenAt === null ? texts.panel.takenUnknown : formatTaken(takenAt)}</span>
          {takenAt !== null && (
            <span className="panel-secondary">{isByHand ? texts.panel.byHand : texts.panel.byCamera}</span>
          )}
        </div>
        {!isEditing && (
          <IconButton
            icon="edit"
            ref={button}
            aria-label={texts.panel.editTaken}
            title={texts.panel.editTaken}
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
  const { takenAt, capture } = metadata;
  const [fields, setFields] = useState(() => takenFieldsOf(takenAt));
  const [problem, setProblem] = useState<TakenProblem>();
  const captured = capture['takenAt'] ?? null;
  useShortcut('Escape', onCancel, { within: 'any', typing: true });
  const message = problem === undefined ? error : texts.panel.takenProblem[problem];

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    const result = takenAtOf(fields, takenAt);
    if ('problem' in result) setProblem(result.problem);
    else onSave(result.takenAt);
  }

  return (
    <form className="panel-form" noValidate onSubmit={submit}>
      <label className="panel-label">
        {texts.panel.time}
        <input
          ref={focusFirst}
          className="panel-input"
          type="datetime-local"
          step="1"
          value={fields.local}
          aria-invalid={problem === 'time'}
          aria-describedby={message === undefined ? undefined : `${id}-error`}
          onChange={(event) => setFields({ ...fields, local: event.target.value })}
        />
      </label>
      <label className="panel-label">
        {texts.panel.offset}
        <input
          className="panel-input"
          type="text"
          autoComplete="off"
          placeholder={texts.panel.offsetHint}
          value={fields.offset}
          aria-invalid={problem === 'offset'}
          aria-describedby={message === undefined ? undefined : `${id}-error`}
          onChange={(event) => setFields({ ...fields, offset: event.target.value })}
        />
      </label>
      {message !== undefined && (
        <p className="panel-error" id={`${id}-error`} role="alert">
          {message}
        </p>
      )}
      <div className="panel-buttons">
        <button type="submit" className="button" data-kind="primary">
          {texts.panel.save}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {texts.panel.cancel}
        </button>
        {takenAt !== captured && (
          <button type="button" className="button" onClick={() => onSave(null)}>
            {captured === null ? texts.panel.clearTaken : texts.panel.cameraTime}
          </button>
        )}
      </div>
    </form>
  );
}

function focusFirst(field: HTMLInputElement | null): void {
  field?.focus();
}
