import { Icon, type IconName } from '../controls/icon.tsx';
import { closePopover, Popover } from '../controls/popover.tsx';
import { texts } from '../languages/texts.ts';

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
  const { actions } = texts.selection;
  return (
    <Popover icon="more" label={texts.selection.more}>
      <Item icon="check" label={actions.all} isNarrow onClick={onAll} />
      <Item icon="compare" label={actions.compare} onClick={onCompare} />
      <Item icon="link" label={actions.share} onClick={onShare} />
      {onEdit !== undefined && <Item icon="edit" label={actions.edit} onClick={onEdit} />}
    </Popover>
  );
}

interface ItemProps {
  readonly icon: IconName;
  readonly label: string;
  /** It is in the bar if there is room. */
  readonly isNarrow?: boolean;
  /** Without, it cannot be done with these pictures. */
  readonly onClick: (() => void) | undefined;
}

function Item({ icon, label, isNarrow = false, onClick }: ItemProps): React.JSX.Element {
  return (
    <button
      type="button"
      className="popover-item"
      data-narrow={isNarrow || undefined}
      disabled={onClick === undefined}
      onClick={({ currentTarget }) => {
        closePopover(currentTarget);
        onClick?.();
      }}
    >
      <Icon name={icon} />
      {label}
    </button>
  );
}
