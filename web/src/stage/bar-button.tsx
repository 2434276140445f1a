import { Icon, type IconName } from '../controls/icon.tsx';

interface BarButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** As `aria-keyshortcuts` names it. */
  readonly keys: string;
  readonly isPressed?: boolean;
  readonly onClick: () => void;
}

export function BarButton({ icon, label, keys, isPressed, onClick }: BarButtonProps): React.JSX.Element {
  return (
    <button
      type="button"
      className="viewer-button"
      aria-label={label}
      aria-keyshortcuts={keys}
      aria-pressed={isPressed}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
