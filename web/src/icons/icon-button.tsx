import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps extends React.ComponentProps<'button'> {
  readonly icon: IconName;
  readonly 'aria-label': string;
}

/** A button of nothing but an icon. */
export function IconButton({ icon, className, ...props }: IconButtonProps): React.JSX.Element {
  return (
    <button
      {...props}
      type="button"
      className={className === undefined ? 'button' : `button ${className}`}
      data-icon
      data-kind="quiet"
    >
      <Icon name={icon} />
    </button>
  );
}
