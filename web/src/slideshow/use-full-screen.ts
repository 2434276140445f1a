import { type RefObject, useEffect, useEffectEvent } from 'react';
import { listen } from '../base/listen.ts';

/** Over the whole screen where the browser allows it. @param onLeft the person has left it, as with Escape */
export function useFullScreen(element: RefObject<HTMLElement | null>, onLeft: () => void): void {
  const leave = useEffectEvent(onLeft);
  useEffect(() => {
    const screen = element.current;
    let isFull = false;
    const follow = (): void => {
      const wasFull = isFull;
      isFull = document.fullscreenElement === screen;
      if (wasFull && !isFull) leave();
    };
    const end = listen(document, { fullscreenchange: follow });
    // Phones of some makers have none, and a link that was opened is no permission: then it fills the window.
    screen?.requestFullscreen?.().catch(() => undefined);
    return () => {
      end();
      if (document.fullscreenElement === screen) document.exitFullscreen().catch(() => undefined);
    };
  }, [element]);
}
