import { Icon, type IconName } from './icon.tsx';
import { closePopover } from './popover.tsx';

interface PopoverItemProps extends React.ComponentProps<'button'> {
  readonly icon: IconName;
  /** Without, it cannot be done now. */
  readonly onChoose: (() => void) | undefined;
}

/** A line of a menu, which closes the menu. */
export function PopoverItem({ icon, onChoose, children, ...props }: PopoverItemProps): React.JSX.Element {
  return (
    <button
      {...props}
      type="button"
      className="popover-item"
      disabled={onChoose === undefined}
      onClick={({ currentTarget }) => {
        closePopover(currentTarget);
        onChoose?.();
      }}
    >
      <Icon name={icon} />
      {children}
    </button>
  );
}
