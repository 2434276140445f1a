import { FITTED, type Point, type Size, type Swipe } from '../stage/geometry.ts';
import { hasReducedMotion } from '../stage/reduced-motion.ts';

/** Between two slides, pixels. */
const GAP = 24;

/** How far a swipe moves the picture if there is none in its direction. */
const RESISTANCE = 0.3;

const SETTLE_MS = 200;

export function resisted(by: Point, canGo: (swipe: Swipe) => boolean): Point {
  const isFree = by.x === 0 ? by.y > 0 : canGo(by.x < 0 ? 'next' : 'previous');
  return isFree ? by : { x: by.x * RESISTANCE, y: by.y * RESISTANCE };
}

/** Where the track comes to rest. */
export function restOf(swipe: Swipe | undefined, { width }: Size): Point {
  if (swipe !== 'next' && swipe !== 'previous') return FITTED;
  return { x: (width + GAP) * (swipe === 'next' ? -1 : 1), y: 0 };
}

export function moveTrack(track: HTMLElement, { x, y }: Point): void {
  track.style.transform = x === 0 && y === 0 ? '' : `translate(${x}px, ${y}px)`;
  const dragged = Math.max(0, y) / Math.max(1, track.clientHeight);
  track.closest('dialog')?.style.setProperty('--viewer-dragged', String(dragged));
}

export async function slideTrack(track: HTMLElement, from: Point, to: Point): Promise<void> {
  moveTrack(track, to);
  if (hasReducedMotion()) return;
  const frames = [from, to].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
  await track
    .animate(frames, { duration: SETTLE_MS, easing: 'cubic-bezier(0.2, 0, 0, 1)' })
    .finished.catch(() => undefined);
}
