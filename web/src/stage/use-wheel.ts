import { type RefObject, useEffect, useEffectEvent } from 'react';
import { listen } from '../base/listen.ts';
import { wheelFactor } from './geometry.ts';
import { pointOf } from './point-of.ts';
import type { Zoom } from './use-zoom.ts';

/** React listens for wheels passively: it could not keep the page from scrolling. */
export function useWheel(stage: RefObject<HTMLElement | null>, zoom: Pick<Zoom, 'by'>): void {
  const onWheel = useEffectEvent((event: WheelEvent, element: HTMLElement) => {
    event.preventDefault();
    zoom.by(wheelFactor(event.deltaY, event.deltaMode, event.ctrlKey), pointOf(event, element));
  });
  useEffect(() => {
    const element = stage.current;
    if (element === null) return undefined;
    return listen(element, { wheel: (event) => onWheel(event, element) }, { passive: false });
  }, [stage]);
}
