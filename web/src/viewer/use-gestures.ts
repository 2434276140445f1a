import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { FITTED, type Point, type Size, type Swipe, swipeOf } from '../stage/geometry.ts';
import { type GestureHandler, Gestures } from '../stage/gestures.ts';
import { listenForPointers } from '../stage/listen-for-pointers.ts';
import type { Zoom } from '../stage/use-zoom.ts';
import { moveTrack, resisted, restOf, slideTrack } from './swipe-track.ts';

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

function isOnPicture({ x, y }: Point, { frame: { fitted }, placement }: Zoom): boolean {
  return (
    Math.abs(x - placement.x) <= (fitted.width * placement.zoom) / 2 &&
    Math.abs(y - placement.y) <= (fitted.height * placement.zoom) / 2
  );
}
