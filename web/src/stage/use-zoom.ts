import { useMemo, useState } from 'react';
import {
  FITTED,
  type Frame,
  frameOf,
  isZoomed,
  type Placement,
  type Point,
  panBy,
  panStep,
  pinch,
  reframe,
  type Size,
  stepAfter,
  toggleZoom,
  zoomSteps,
  zoomTo,
} from './geometry.ts';

export interface Zoom {
  readonly frame: Frame;
  readonly placement: Placement;
  readonly isZoomed: boolean;
  /** `toggle` zooms in; else it shows the whole picture. */
  readonly canStepIn: boolean;
  /** The last change is shown as a motion. */
  readonly isAnimated: boolean;
  readonly by: (factor: number, point?: Point, isAnimated?: boolean) => void;
  readonly toggle: (point?: Point) => void;
  readonly reset: () => void;
  readonly pan: (by: Point) => void;
  readonly step: (x: number, y: number) => void;
  readonly pinch: (before: readonly [Point, Point], after: readonly [Point, Point]) => void;
}

interface State {
  /** Of the picture: another one is shown whole. */
  readonly id: number;
  readonly frame: Frame;
  readonly placement: Placement;
  readonly isAnimated: boolean;
}

const MIDDLE: Point = { x: 0, y: 0 };

export function useZoom(picture: Size & { readonly id: number }, stage: Size): Zoom {
  const { id, width, height } = picture;
  const pixelRatio = window.devicePixelRatio;
  const frame = useMemo(
    () => frameOf({ width, height }, stage, pixelRatio),
    [width, height, stage, pixelRatio],
  );
  const steps = zoomSteps(frame, picture, pixelRatio);
  const [state, setState] = useState<State>();
  const { placement, isAnimated } = current(state, id, frame);

  /** Several events can come before the next render. */
  function change(to: (placement: Placement) => Placement, isAnimated: boolean): void {
    setState((last) => ({ id, frame, placement: to(current(last, id, frame).placement), isAnimated }));
  }

  return {
    frame,
    placement,
    isAnimated,
    isZoomed: isZoomed(placement),
    canStepIn: stepAfter(placement, steps) !== undefined,
    by: (factor, point = MIDDLE, isAnimated = false) =>
      change((from) => zoomTo(from, from.zoom * factor, point, frame), isAnimated),
    toggle: (point = MIDDLE) => change((from) => toggleZoom(from, point, frame, steps), true),
    reset: () => change(() => FITTED, true),
    pan: (by) => change((from) => panBy(from, by, frame), false),
    step: (x, y) => change((from) => panStep(from, x, y, frame), true),
    pinch: (before, after) => change((from) => pinch(from, before, after, frame), false),
  };
}

function current(
  state: State | undefined,
  id: number,
  frame: Frame,
): Pick<State, 'placement' | 'isAnimated'> {
  if (state?.id !== id) return { placement: FITTED, isAnimated: false };
  if (state.frame === frame) return state;
  return { placement: reframe(state.placement, state.frame, frame), isAnimated: false };
}
