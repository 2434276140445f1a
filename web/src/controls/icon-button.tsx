import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

/** `label` is for screen readers and also shown below the pointer; `aria-label` is for screen readers alone. */
type Label = { readonly label: string } | { readonly label?: undefined; readonly 'aria-label': string };

type IconButtonProps = React.ComponentProps<'button'> & { readonly icon: IconName } & Label;

/** A button of nothing but an icon. */
export function IconButton({
  icon,
  label,
  className,
  children,
  ...props
}: IconButtonProps): React.JSX.Element {
  return (
    <Button
      aria-label={label}
      title={label}
      {...props}
      className={className === undefined ? 'button' : `button ${className}`}
      data-icon
      data-kind="quiet"
    >
      <Icon name={icon} />
      {children}
    </Button>
  );
}
