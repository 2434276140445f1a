import { type ReactNode, useId, useRef } from 'react';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { placeBelow } from './place-below.ts';
import './popover.css';

export interface PopoverProps {
  readonly icon: IconName;
  readonly label: string;
  /** Shows the label beside the icon. */
  readonly labelled?: boolean;
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/** A button that opens a panel below it. The browser closes the panel on Escape and on a click elsewhere; Tab out of it does, too. */
export function Popover({
  icon,
  label,
  labelled = false,
  onOpen,
  children,
}: PopoverProps): React.JSX.Element {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = ({ newState, currentTarget }: React.ToggleEvent<HTMLElement>): void => {
    if (newState !== 'open' || button.current === null) return;
    placeBelow(button.current, currentTarget);
    onOpen?.();
  };
  // The panel would cover what has the focus then (WCAG 2.4.11).
  const closeBehind = ({ relatedTarget, currentTarget }: React.FocusEvent<HTMLElement>): void => {
    const stays = currentTarget.contains(relatedTarget) || relatedTarget === button.current;
    if (relatedTarget !== null && !stays) currentTarget.hidePopover();
  };
  return (
    <>
      <Button
        ref={button}
        data-kind="quiet"
        data-icon={labelled ? undefined : true}
        aria-label={labelled ? undefined : label}
        title={labelled ? undefined : label}
        popoverTarget={id}
      >
        <Icon name={icon} />
        {labelled && label}
      </Button>
      <div id={id} popover="auto" className="popover floating" onToggle={place} onBlur={closeBehind}>
        {children}
      </div>
    </>
  );
}

/** Closes the popover that contains the element. */
export function closePopover(element: Element): void {
  element.closest<HTMLElement>('[popover]')?.hidePopover();
}
