import { useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';

export interface Draft {
  readonly text: string;
  /** Why the last text was refused. */
  readonly error: string | undefined;
  readonly edit: (text: string) => void;
  readonly save: () => void;
  /** Brings the saved text back. */
  readonly discard: () => void;
}

/**
 * A text that is being written.
 *
 * @param onSave returns why it was refused
 */
export function useDraft(
  value: string | null,
  onSave: (value: string | null) => Promise<string | undefined>,
): Draft {
  const [draft, setDraft] = useState<string>();
  const [error, setError] = useState<string>();

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
  return { text: draft ?? value ?? '', error, edit: setDraft, save: () => void save(), discard };
}
