import { useEffect, useRef } from 'react';
import { IconButton } from '../controls/icon-button.tsx';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { statesTexts } from './states-texts.ts';

interface SubPageProps {
  readonly className?: string;
  readonly title: string;
  /** @returns `false` to go back */
  readonly onEscape?: () => boolean;
  /** Beside the title. */
  readonly bar: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A page of the gallery in the place of the pictures. */
export function SubPage({ className = '', title, bar, children, ...props }: SubPageProps): React.JSX.Element {
  const addressBar = useAddressBar();
  const heading = useRef<HTMLHeadingElement>(null);
  const leave = (): void => addressBar.push({ page: 'pictures' });
  useEffect(() => {
    // What had the focus is gone with the pictures.
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: 'instant' });
  }, []);
  useShortcut('Escape', () => props.onEscape?.() || leave());
  return (
    <div className={`tags-page ${className}`}>
      <div className="tags-page-bar">
        <IconButton icon="back" label={statesTexts().back} onClick={leave} />
        <h2 ref={heading} id={HEADING} className="tags-page-title" tabIndex={-1}>
          {title}
        </h2>
        {bar}
      </div>
      {children}
    </div>
  );
}

const HEADING = 'page-heading';

/** When the button that had the focus is gone. */
export function focusHeading(): void {
  document.getElementById(HEADING)?.focus({ preventScroll: true });
}
