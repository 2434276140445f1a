import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { FITTED, type Point, type Size, type Swipe, swipeOf, wheelFactor } from './geometry.ts';
import { type GestureHandler, Gestures } from './gestures.ts';
import { pointOf, sampleOf } from './pointer-samples.ts';
import { moveTrack, resisted, restOf, slideTrack } from './swipe-track.ts';
import type { Zoom } from './use-zoom.ts';

export interface GestureTargets {
  /** The neighbours; `undefined` if there is none. */
  readonly previous: unknown;
  readonly next: unknown;
  /** Of the stage. */
  readonly size: Size;
  readonly zoom: Zoom;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
  /** A finger has tapped once. */
  readonly onTap: () => void;
}

type ElementRef = RefObject<HTMLElement | null>;

const DOUBLE_TAP_MS = 300;

/** Zoom, pan and swipe with mouse, pen and fingers. */
export function useGestures(targets: GestureTargets, stage: ElementRef, track: ElementRef): void {
  const [tap] = useState(() => new DelayedCall(DOUBLE_TAP_MS));
  const latest = useEffectEvent(() => gestureHandler(targets, track, tap));
  useEffect(() => {
    const element = stage.current;
    if (element === null) return undefined;
    const end = listenForPointers(element, new Gestures(() => latest()));
    return () => {
      end();
      tap.cancel();
    };
  }, [stage, tap]);
}

function gestureHandler(targets: GestureTargets, track: ElementRef, firstTap: DelayedCall): GestureHandler {
  const { size, zoom, onClose, onTap } = targets;
  const canGo = (swipe: Swipe): boolean => neighbourOf(targets, swipe) !== undefined;
  const settle = (from: Point, swipe?: Swipe): void => {
    if (track.current !== null) void settleTrack(track.current, from, swipe, targets);
  };
  return {
    isZoomed: () => zoom.isZoomed,
    pan: zoom.pan,
    pinch: zoom.pinch,
    swipe: (by) => {
      if (track.current !== null) moveTrack(track.current, resisted(by, canGo));
    },
    endSwipe: (by, ms) => settle(resisted(by, canGo), swipeOf(by, ms, size)),
    cancelSwipe: () => settle(FITTED),
    tap: (sample) => {
      if (sample.kind === 'mouse') {
        if (!isOnPicture(sample, zoom)) onClose();
        return;
      }
      firstTap.begin(onTap);
    },
    doubleTap: (sample) => {
      firstTap.cancel();
      zoom.toggle(sample);
    },
  };
}

/** The first tap counts only when it is clear that no second one follows. */
class DelayedCall {
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  begin(run: () => void): void {
    this.cancel();
    this.#timer = setTimeout(run, this.#ms);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}

/** A finger or the button was let go. */
async function settleTrack(
  track: HTMLElement,
  from: Point,
  swipe: Swipe | undefined,
  targets: GestureTargets,
): Promise<void> {
  if (swipe === 'close') {
    targets.onClose();
    return;
  }
  const isGoing = swipe !== undefined && neighbourOf(targets, swipe) !== undefined;
  await slideTrack(track, from, isGoing ? restOf(swipe, targets.size) : FITTED);
  // Its neighbour comes into the middle in the same paint.
  if (swipe !== undefined) flushSync(() => targets.onStep(swipe === 'next' ? 1 : -1));
  moveTrack(track, FITTED);
}

function neighbourOf({ previous, next }: GestureTargets, swipe: Swipe): unknown {
  return swipe === 'next' ? next : previous;
}

/** @returns a function that ends it */
export function listenForPointers(element: HTMLElement, gestures: Gestures): () => void {
  const end = new AbortController();
  const { signal } = end;
  const onDown = (event: PointerEvent): void => {
    // A captured pointer would take the click from a button.
    if (event.button !== 0 || isOnButton(event)) return;
    element.setPointerCapture(event.pointerId);
    gestures.down(sampleOf(event, element));
  };
  element.addEventListener('pointerdown', onDown, { signal });
  element.addEventListener('pointermove', (event) => gestures.move(sampleOf(event, element)), { signal });
  element.addEventListener('pointerup', (event) => gestures.up(sampleOf(event, element)), { signal });
  element.addEventListener('pointercancel', (event) => gestures.cancel(event.pointerId), { signal });
  return () => end.abort();
}

function isOnButton({ target }: PointerEvent): boolean {
  return target instanceof Element && target.closest('button') !== null;
}

function isOnPicture({ x, y }: Point, { frame: { fitted }, placement }: Zoom): boolean {
  return (
    Math.abs(x - placement.x) <= (fitted.width * placement.zoom) / 2 &&
    Math.abs(y - placement.y) <= (fitted.height * placement.zoom) / 2
  );
}

/** React listens for wheels passively: it could not keep the page from scrolling. */
export function useWheel(stage: ElementRef, zoom: Pick<Zoom, 'by'>): void {
  const onWheel = useEffectEvent((event: WheelEvent, element: HTMLElement) => {
    event.preventDefault();
    zoom.by(wheelFactor(event.deltaY, event.deltaMode, event.ctrlKey), pointOf(event, element));
  });
  useEffect(() => {
    const element = stage.current;
    if (element === null) return undefined;
    const listener = (event: WheelEvent): void => onWheel(event, element);
    element.addEventListener('wheel', listener, { passive: false });
    return () => element.removeEventListener('wheel', listener);
  }, [stage]);
}
