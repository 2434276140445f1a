import type { Focus, ImageRecord } from '@image-catalog/client';
import { useState } from 'react';
import { FieldError } from '../controls/field-error.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { cropsTexts } from './crops-texts.ts';
import { FocusDialog } from './focus-dialog.tsx';
import { focusText } from './focus-text.ts';

interface CropSectionProps {
  readonly record: ImageRecord;
  readonly focus: Focus | null;
  /** @returns why it was refused */
  readonly onSave: (focus: Focus | null) => Promise<string | undefined>;
}

/** What crops of the picture keep. */
export function CropSection({ record, focus, onSave }: CropSectionProps): React.JSX.Element {
  const [isEditing, setEditing] = useState(false);
  const [error, setError] = useState<string>();

  async function save(changed: Focus | null): Promise<void> {
    setEditing(false);
    setError(await onSave(changed));
  }

  return (
    <>
      <section className="panel-section">
        <h4 className="panel-heading">{cropsTexts().focus}</h4>
        <div className="panel-row">
          <div className="panel-row-text">{focusText(focus)}</div>
          <IconButton icon="edit" label={cropsTexts().edit} onClick={() => setEditing(true)} />
        </div>
        <FieldError text={error} />
      </section>
      {isEditing && (
        <FocusDialog
          record={record}
          focus={focus}
          onSave={(changed) => void save(changed)}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  );
}
