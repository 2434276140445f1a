import { type RefObject, useEffect, useRef } from 'react';
import { listen } from '../base/listen.ts';

/**
 * If the element with the focus disappears, the page has the focus, and keys lead nowhere.
 *
 * @param restore called with what had the focus before it came into `within`
 */
export function useLostFocus(
  within: RefObject<HTMLElement | null>,
  restore: (before: HTMLElement | undefined) => void,
): void {
  const focused = useRef<Element>(undefined);
  const before = useRef<HTMLElement>(undefined);
  useEffect(() => {
    const element = within.current;
    if (element === null) return undefined;
    return listen(element, {
      focusin: ({ target, relatedTarget }) => {
        focused.current = target instanceof Element ? target : undefined;
        if (relatedTarget instanceof HTMLElement && !element.contains(relatedTarget)) {
          before.current = relatedTarget;
        }
      },
      // Some browsers report a removal as well: then the element is gone after the present task.
      focusout: ({ target }) =>
        queueMicrotask(() => {
          if (focused.current === target && focused.current?.isConnected) focused.current = undefined;
        }),
    });
  }, [within]);
  useEffect(() => {
    if (focused.current === undefined || focused.current.isConnected) return;
    focused.current = undefined;
    if (document.activeElement === document.body) restore(before.current);
  });
}
