import { type RefObject, useEffect } from 'react';
import { listen } from '../base/listen.ts';
import type { Notices } from './notices.ts';

/** A notice that is being read or is about to be pressed does not go away. */
export function usePauseWhileInside(list: RefObject<HTMLElement | null>, notices: Notices): void {
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    let inside = false;
    const follow = (): void => {
      const wasInside = inside;
      inside = element.matches(':hover, :focus-within');
      if (inside && !wasInside) notices.pause();
      if (!inside && wasInside) notices.resume();
    };
    // At the time of `focusout` the focus is still inside.
    const later = (): void => queueMicrotask(follow);
    const events = { pointerenter: later, pointerleave: later, focusin: later, focusout: later };
    const ends = [listen(element, events), notices.shown.subscribe(later)];
    return () => {
      for (const end of ends) end();
      if (inside) notices.resume();
    };
  }, [list, notices]);
}
