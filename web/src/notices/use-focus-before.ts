import { type RefObject, useEffect, useRef } from 'react';

/** If the button with the focus disappears with its notice, the focus goes back to where it came from. */
export function useFocusBefore(list: RefObject<HTMLElement | null>): void {
  const focused = useRef<Element>(undefined);
  const before = useRef<HTMLElement>(undefined);
  useEffect(() => {
    const element = list.current;
    const end = new AbortController();
    const enter = ({ target, relatedTarget }: FocusEvent): void => {
      focused.current = target instanceof Element ? target : undefined;
      if (relatedTarget instanceof HTMLElement && element?.contains(relatedTarget) === false) {
        before.current = relatedTarget;
      }
    };
    // Some browsers report a removal as well: then the element is gone after the present task.
    const leave = ({ target }: FocusEvent): void =>
      queueMicrotask(() => {
        if (focused.current === target && focused.current?.isConnected) focused.current = undefined;
      });
    element?.addEventListener('focusin', enter, { signal: end.signal });
    element?.addEventListener('focusout', leave, { signal: end.signal });
    return () => end.abort();
  }, [list]);
  useEffect(() => {
    if (focused.current === undefined || focused.current.isConnected) return;
    focused.current = undefined;
    if (document.activeElement !== document.body) return;
    const place = list.current?.closest('dialog') ?? document.querySelector('main');
    if (before.current?.isConnected === true) before.current.focus();
    else place?.focus();
  });
}
