import { Popover } from '../controls/popover.tsx';
import { PopoverItem } from '../controls/popover-item.tsx';
import { selectionBarTexts } from './selection-bar-texts.ts';

interface SelectionMenuProps {
  readonly onAll: (() => void) | undefined;
  readonly onCompare: (() => void) | undefined;
  readonly onShare: () => void;
  /** Without, pictures cannot be changed. */
  readonly onEdit: (() => void) | undefined;
}

/** What is rarely done with the selected pictures, and what has no room in the bar of a phone. */
export function SelectionMenu(props: SelectionMenuProps): React.JSX.Element {
  const { onAll, onCompare, onShare, onEdit } = props;
  const { actions } = selectionBarTexts();
  return (
    <Popover icon="more" label={selectionBarTexts().more}>
      {/* In the bar if there is room. */}
      <PopoverItem icon="check" data-narrow onChoose={onAll}>
        {actions.all}
      </PopoverItem>
      <PopoverItem icon="compare" onChoose={onCompare}>
        {actions.compare}
      </PopoverItem>
      <PopoverItem icon="link" data-narrow onChoose={onShare}>
        {actions.share}
      </PopoverItem>
      {onEdit !== undefined && (
        <PopoverItem icon="edit" onChoose={onEdit}>
          {actions.edit}
        </PopoverItem>
      )}
    </Popover>
  );
}
