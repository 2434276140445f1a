import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { Frame, Placement } from '../stage/geometry.ts';
import { type GestureHandler, Gestures } from '../stage/gestures.ts';
import { listenForPointers } from '../stage/listen-for-pointers.ts';
import { useWheel } from '../stage/use-wheel.ts';
import { panShared, pinchShared, toggleShared, zoomShared } from './shared-zoom.ts';

export type ChangeZoom = (change: (shared: Placement) => Placement) => void;

/** Wheel, pan, pinch and double click on one picture move all of them. */
export function usePaneGestures(pane: RefObject<HTMLElement | null>, frame: Frame, change: ChangeZoom): void {
  const handler = useEffectEvent((): GestureHandler => {
    const pan: GestureHandler['pan'] = (by) => change((shared) => panShared(shared, by, frame));
    return {
      // All of them: a picture that is not zoomed does not move.
      isZoomed: () => true,
      pan,
      pinch: (before, after) => change((shared) => pinchShared(shared, before, after, frame)),
      swipe: nothing,
      endSwipe: nothing,
      cancelSwipe: nothing,
      tap: nothing,
      doubleTap: (point) => change((shared) => toggleShared(shared, point, frame)),
    };
  });
  useWheel(pane, {
    by: (factor, point = { x: 0, y: 0 }) => change((shared) => zoomShared(shared, factor, point, frame)),
  });
  useEffect(() => {
    const element = pane.current;
    return element === null ? undefined : listenForPointers(element, new Gestures(() => handler()));
  }, [pane]);
}

function nothing(): void {}
