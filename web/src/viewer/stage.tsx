import type { ImageRecord } from '@image-catalog/client';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FITTED, frameOf, type Point, type Size, type Swipe, swipeOf, wheelFactor } from './geometry.ts';
import { type GestureHandler, Gestures, type PointerSample } from './gestures.ts';
import { hasReducedMotion } from './opening.ts';
import { Slide } from './slide.tsx';
import type { Zoom } from './use-zoom.ts';

interface StageProps {
  readonly record: ImageRecord;
  readonly previous: ImageRecord | undefined;
  readonly next: ImageRecord | undefined;
  readonly size: Size;
  readonly zoom: Zoom;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
  /** A finger has tapped once. */
  readonly onTap: () => void;
}

/** Between two slides, pixels. */
const GAP = 24;

/** How far a swipe moves the picture if there is none in its direction. */
const RESISTANCE = 0.3;

const SETTLE_MS = 200;
const DOUBLE_TAP_MS = 300;

/** The picture and its neighbours: zoom, pan and swipe with mouse, pen and fingers. */
export function Stage(props: StageProps): React.JSX.Element {
  const { record, previous, next, size, zoom } = props;
  const stage = useRef<HTMLDivElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const [settledId, setSettledId] = useState<number>();

  useGestures(props, stage, track);
  useWheel(stage, zoom);

  const slides = [
    [previous, -1],
    [record, 0],
    [next, 1],
  ] as const;
  return (
    <div ref={stage} className="viewer-stage" data-zoomed={zoom.isZoomed || undefined}>
      <div ref={track} className="viewer-track">
        {slides.map(
          ([shown, offset]) =>
            shown !== undefined && (
              <Slide
                key={shown.id}
                record={shown}
                offset={offset}
                fitted={offset === 0 ? zoom.frame.fitted : frameOf(shown, size, 1).fitted}
                placement={offset === 0 ? zoom.placement : FITTED}
                isAnimated={offset === 0 && zoom.isAnimated}
                isLoading={offset === 0 || settledId === record.id}
                onSettled={offset === 0 ? setSettledId : undefined}
              />
            ),
        )}
      </div>
    </div>
  );
}

type ElementRef = React.RefObject<HTMLElement | null>;

function useGestures(props: StageProps, stage: ElementRef, track: ElementRef): void {
  const tapTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { size, zoom } = props;

  function canGo(swipe: Swipe): boolean {
    return (swipe === 'next' ? props.next : props.previous) !== undefined;
  }

  function move(by: Point): void {
    if (track.current !== null) moveTrack(track.current, by);
  }

  async function settle(from: Point, swipe: Swipe | undefined): Promise<void> {
    if (track.current === null) return;
    if (swipe === 'close') {
      props.onClose();
      return;
    }
    const isGoing = swipe !== undefined && canGo(swipe);
    const side = (size.width + GAP) * (swipe === 'next' ? -1 : 1);
    await slideTrack(track.current, from, isGoing ? { x: side, y: 0 } : FITTED);
    // Its neighbour comes into the middle in the same paint.
    if (swipe !== undefined) flushSync(() => props.onStep(swipe === 'next' ? 1 : -1));
    move(FITTED);
  }

  const handler: GestureHandler = {
    isZoomed: () => zoom.isZoomed,
    pan: zoom.pan,
    pinch: zoom.pinch,
    swipe: (by) => move(resisted(by, canGo)),
    endSwipe: (by, ms) => void settle(resisted(by, canGo), swipeOf(by, ms, size)),
    cancelSwipe: () => void settle(FITTED, undefined),
    tap: (sample) => {
      if (sample.kind === 'mouse') {
        if (!isOnPicture(sample, zoom)) props.onClose();
        return;
      }
      clearTimeout(tapTimer.current);
      tapTimer.current = setTimeout(props.onTap, DOUBLE_TAP_MS);
    },
    doubleTap: (sample) => {
      clearTimeout(tapTimer.current);
      zoom.toggle(sample);
    },
  };
  const latest = useEffectEvent(() => handler);

  useEffect(() => {
    const element = stage.current;
    if (element === null) return undefined;
    const gestures = new Gestures({
      isZoomed: () => latest().isZoomed(),
      pan: (by) => latest().pan(by),
      pinch: (before, after) => latest().pinch(before, after),
      swipe: (by) => latest().swipe(by),
      endSwipe: (by, ms) => latest().endSwipe(by, ms),
      cancelSwipe: () => latest().cancelSwipe(),
      tap: (sample) => latest().tap(sample),
      doubleTap: (sample) => latest().doubleTap(sample),
    });
    const onDown = (event: PointerEvent): void => {
      // A captured pointer would take the click from a button.
      if (event.button !== 0 || isOnButton(event)) return;
      element.setPointerCapture(event.pointerId);
      gestures.down(sampleOf(event, element));
    };
    const end = new AbortController();
    const { signal } = end;
    element.addEventListener('pointerdown', onDown, { signal });
    element.addEventListener('pointermove', (event) => gestures.move(sampleOf(event, element)), { signal });
    element.addEventListener('pointerup', (event) => gestures.up(sampleOf(event, element)), { signal });
    element.addEventListener('pointercancel', (event) => gestures.cancel(event.pointerId), { signal });
    return () => {
      end.abort();
      clearTimeout(tapTimer.current);
    };
  }, [stage]);
}

function isOnButton({ target }: PointerEvent): boolean {
  return target instanceof Element && target.closest('button') !== null;
}

function sampleOf(event: PointerEvent, element: Element): PointerSample {
  const { pointerId: id, pointerType, timeStamp: time } = event;
  const kind = pointerType === 'touch' || pointerType === 'pen' ? pointerType : 'mouse';
  return { ...pointOf(event, element), id, kind, time };
}

/** React listens for wheels passively: it could not keep the page from scrolling. */
function useWheel(stage: ElementRef, zoom: Zoom): void {
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

function resisted(by: Point, canGo: (swipe: Swipe) => boolean): Point {
  const isFree = by.x === 0 ? by.y > 0 : canGo(by.x < 0 ? 'next' : 'previous');
  return isFree ? by : { x: by.x * RESISTANCE, y: by.y * RESISTANCE };
}

function moveTrack(track: HTMLElement, { x, y }: Point): void {
  track.style.transform = x === 0 && y === 0 ? '' : `translate(${x}px, ${y}px)`;
  const dragged = Math.max(0, y) / Math.max(1, track.clientHeight);
  track.closest('dialog')?.style.setProperty('--viewer-dragged', String(dragged));
}

async function slideTrack(track: HTMLElement, from: Point, to: Point): Promise<void> {
  moveTrack(track, to);
  if (hasReducedMotion()) return;
  const frames = [from, to].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
  await track
    .animate(frames, { duration: SETTLE_MS, easing: 'cubic-bezier(0.2, 0, 0, 1)' })
    .finished.catch(() => undefined);
}

/** From the centre of an element. */
function pointOf({ clientX, clientY }: { clientX: number; clientY: number }, element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

function isOnPicture({ x, y }: Point, { frame: { fitted }, placement }: Zoom): boolean {
  return (
    Math.abs(x - placement.x) <= (fitted.width * placement.zoom) / 2 &&
    Math.abs(y - placement.y) <= (fitted.height * placement.zoom) / 2
  );
}
