import { type RefObject, useEffect, useRef } from 'react';

/** If the button with the focus disappears from the element, the focus goes to another one in it, not to the page. */
export function useKeptFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null);
  const focused = useRef<Element>(undefined);
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const enter = ({ target }: FocusEvent): void => {
      focused.current = target instanceof Element ? target : undefined;
    };
    // Some browsers report a removal as well: then the element is gone after the present task.
    const leave = ({ target }: FocusEvent): void =>
      queueMicrotask(() => {
        if (focused.current === target && focused.current?.isConnected) focused.current = undefined;
      });
    element.current?.addEventListener('focusin', enter, { signal });
    element.current?.addEventListener('focusout', leave, { signal });
    return () => end.abort();
  }, []);
  useEffect(() => {
    if (focused.current === undefined || focused.current.isConnected) return;
    focused.current = undefined;
    if (document.activeElement !== document.body) return;
    const next =
      element.current?.querySelector('button') ?? element.current?.closest<HTMLElement>('[tabindex]');
    next?.focus();
  });
  return element;
}
