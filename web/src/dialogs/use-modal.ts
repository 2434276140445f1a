import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Opens a `<dialog>` as long as its component is there. One with a `tabIndex` gets the focus itself. The focus returns to
 * what had it before.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    // Not on its first button: it would look as if it were meant. A dialog has the property `tabIndex` of -1 without it, too.
    if (element?.hasAttribute('tabindex')) element.focus();
    return () => {
      // Before it is removed from the page: then there is nothing to return from.
      element?.close();
      if (document.fullscreenElement === null || !(before instanceof HTMLElement)) return;
      // The browser forgets the focus when it leaves the full screen.
      document.addEventListener('fullscreenchange', () => before.focus(), { once: true });
    };
  }, []);
  return dialog;
}
