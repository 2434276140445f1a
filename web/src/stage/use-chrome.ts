import { useEffect, useState } from 'react';
import { listen } from '../base/listen.ts';
import { hasReducedMotion } from './reduced-motion.ts';

/** Without a movement of the mouse for so long, only the picture is left. */
const REST_MS = 2000;

export interface Chrome {
  readonly isVisible: boolean;
  readonly toggle: () => void;
}

/**
 * Whether buttons are shown. They fade while a mouse rests over the picture; a finger shows and hides them with a tap.
 * A screen reader and the keyboard move no mouse: then they stay.
 */
export function useChrome(dialog: React.RefObject<HTMLDialogElement | null>): Chrome {
  const [isVisible, setVisible] = useState(true);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = (): void => {
      if (!hasReducedMotion() && !isInUse(element)) setVisible(false);
    };
    const end = listen(element, {
      pointermove: ({ pointerType }) => {
        clearTimeout(timer);
        if (pointerType !== 'mouse') return;
        setVisible(true);
        timer = setTimeout(rest, REST_MS);
      },
      keydown: () => setVisible(true),
      focusin: () => isInUse(element) && setVisible(true),
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [dialog]);
  return { isVisible, toggle: () => setVisible((visible) => !visible) };
}

/** The keyboard or the mouse is at a button, or a text is edited in the panel. */
function isInUse(dialog: HTMLElement): boolean {
  return dialog.querySelector('[data-fades] :is(:focus-visible, button:hover)') !== null;
}
