import { type RefObject, useEffect } from 'react';
import type { Notices } from './notices.ts';

/** A notice that is being read or is about to be pressed does not go away. */
export function usePauseWhileInside(list: RefObject<HTMLElement | null>, notices: Notices): void {
  useEffect(() => {
    const element = list.current;
    let inside = false;
    const follow = (): void => {
      const wasInside = inside;
      inside = element?.matches(':hover, :focus-within') ?? false;
      if (inside && !wasInside) notices.pause();
      if (!inside && wasInside) notices.resume();
    };
    const controller = new AbortController();
    for (const type of ['pointerenter', 'pointerleave', 'focusin', 'focusout']) {
      // At the time of `focusout` the focus is still inside.
      element?.addEventListener(type, () => queueMicrotask(follow), { signal: controller.signal });
    }
    const end = notices.shown.subscribe(() => queueMicrotask(follow));
    return () => {
      controller.abort();
      end();
      if (inside) notices.resume();
    };
  }, [list, notices]);
}
