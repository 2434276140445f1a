import { useId, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Modal } from '../dialogs/modal.tsx';
import { useModal } from '../dialogs/use-modal.ts';
import { editsTexts } from '../edits/edits-texts.ts';
import { MOST_UNDONE } from '../edits/most-undone.ts';
import { useImages } from '../images/use-images.ts';
import { commonTexts } from '../languages/common-texts.ts';
import { formats } from '../languages/formats.ts';
import { selectionTexts } from '../selection/selection-texts.ts';
import { useSelection } from '../selection/use-selection.ts';
import { TagInput } from '../tags/tag-input.tsx';
import { presentTags } from './present-tags.ts';
import type { SelectionActions } from './selection-actions.ts';
import { selectionBarTexts } from './selection-bar-texts.ts';
import { useTagChange } from './use-tag-change.ts';

interface SelectionTagsProps {
  /** Pictures. */
  readonly count: number;
  readonly actions: SelectionActions;
  readonly onClose: () => void;
}

/** Adds and removes tags of all selected pictures. */
export function SelectionTags({ count, actions, onClose }: SelectionTagsProps): React.JSX.Element {
  const id = useId();
  const change = useTagChange(actions, onClose);
  const { add, remove, isRunning } = change;
  return (
    <Modal
      ref={useModal()}
      className="selection-tags floating"
      aria-labelledby={id}
      onClose={() => isRunning || onClose()}
      onKeyDownCapture={(event) => {
        if (!isSecondEnter(event) || isRunning) return;
        event.preventDefault();
        event.stopPropagation();
        change.apply();
      }}
    >
      <h2 id={id}>{selectionBarTexts().tagsOf(count)}</h2>
      <TagInput label={selectionBarTexts().add} {...add} />
      <h3>{selectionBarTexts().present}</h3>
      <TagInput label={selectionBarTexts().remove} placeholder={selectionBarTexts().remove} {...remove} />
      <PresentTags without={remove.tags} onRemove={(tag) => remove.onAdd([tag])} />
      {count > MOST_UNDONE && <p className="form-hint">{editsTexts().tooMany(MOST_UNDONE)}</p>}
      <div className="selection-tags-end">
        <output>{isRunning && count > 500 ? selectionTexts().progress(change.done, count) : ''}</output>
        <Button disabled={isRunning} onClick={onClose}>
          {commonTexts().cancel}
        </Button>
        <Button data-kind="primary" disabled={isRunning} onClick={change.apply}>
          {selectionBarTexts().apply}
        </Button>
      </div>
    </Modal>
  );
}

/** A first Enter adds the tag to the field, a second one applies it to the pictures. */
function isSecondEnter({ key, target }: React.KeyboardEvent): boolean {
  const isEmptyField = target instanceof HTMLInputElement && target.value === '';
  return key === 'Enter' && isEmptyField && !target.hasAttribute('aria-activedescendant');
}

interface PresentTagsProps {
  /** They are removed already. */
  readonly without: readonly string[];
  readonly onRemove: (tag: string) => void;
}

/** The tags that the selected pictures have. */
function PresentTags({ without, onRemove }: PresentTagsProps): React.JSX.Element | null {
  const images = useImages();
  const selection = useSelection();
  const [present] = useState(() => presentTags(images.list.get(), selection.ids.get()));
  const offered = present.filter(({ tag }) => !without.includes(tag));
  if (offered.length === 0) return null;
  return (
    <ul className="selection-present" aria-label={selectionBarTexts().present}>
      {offered.map(({ tag, count }) => (
        <li key={tag}>
          <button type="button" className="selection-present-tag" onClick={() => onRemove(tag)}>
            {tag} <span className="selection-present-count">{formats().number(count)}</span>{' '}
            <span className="visually-hidden">{selectionBarTexts().removeTag(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
