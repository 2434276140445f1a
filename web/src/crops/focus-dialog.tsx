import type { Focus, ImageRecord } from '@image-catalog/client';
import { useState } from 'react';
import { cropPosition } from '../catalog/crop-position.ts';
import { useThumbnail } from '../catalog/use-thumbnail.ts';
import { Button } from '../controls/button.tsx';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { commonTexts } from '../languages/common-texts.ts';
import { cropsTexts } from './crops-texts.ts';
import { FOCUS_SIZES, FocusPicture } from './focus-picture.tsx';
import { isSameFocus } from './focus-point.ts';
import { focusText } from './focus-text.ts';

interface FocusDialogProps {
  readonly record: ImageRecord;
  readonly focus: Focus | null;
  readonly onSave: (focus: Focus | null) => void;
  readonly onClose: () => void;
}

/** Shows what crops of the picture keep while a person chooses it. */
export function FocusDialog({ record, focus, onSave, onClose }: FocusDialogProps): React.JSX.Element {
  const [chosen, choose] = useState(focus);
  return (
    <FormDialog
      title={cropsTexts().focus}
      submit={cropsTexts().save}
      close={commonTexts().cancel}
      isDisabled={isSameFocus(chosen, focus)}
      onSubmit={() => onSave(chosen)}
      onClose={onClose}
    >
      <p className="form-hint">{cropsTexts().hint}</p>
      <FocusPicture record={record} focus={chosen} onChange={choose} />
      <div className="focus-place">
        <span>{focusText(chosen)}</span>
        <Button data-kind="quiet" disabled={chosen === null} onClick={() => choose(null)}>
          {cropsTexts().clear}
        </Button>
      </div>
      <Crops record={record} focus={chosen} />
    </FormDialog>
  );
}

const SHAPES = [
  [1, 1],
  [16, 9],
  [4, 5],
] as const;

interface CropsProps {
  readonly record: ImageRecord;
  readonly focus: Focus | null;
}

/** As the service makes them. */
function Crops({ record, focus }: CropsProps): React.JSX.Element {
  const { attributes } = useThumbnail(record);
  return (
    <ul className="crops" aria-label={cropsTexts().crops}>
      {SHAPES.map(([width, height]) => (
        <li key={width} style={{ flexGrow: width / height }}>
          <img
            {...attributes}
            className="crop"
            alt=""
            sizes={FOCUS_SIZES}
            style={{
              ...attributes.style,
              aspectRatio: `${width} / ${height}`,
              objectPosition: cropPosition(record, width / height, focus),
            }}
          />
          <span className="crop-shape">{`${width}:${height}`}</span>
        </li>
      ))}
    </ul>
  );
}
