import { type Box, flipTransform } from '../stage/geometry.ts';
import { hasReducedMotion } from '../stage/reduced-motion.ts';

const DURATION_MS = 200;
const EASING = 'cubic-bezier(0.2, 0, 0, 1)';

/** @param from its place in the grid; without it, the picture fades in where it is */
export function animateOpening(dialog: HTMLDialogElement, from: DOMRect | undefined): void {
  if (hasReducedMotion()) return;
  play(dialog, 'normal', from);
}

/** Resolves when the picture is in its place in the grid. */
export async function animateClosing(dialog: HTMLDialogElement, to: DOMRect | undefined): Promise<void> {
  if (hasReducedMotion()) return;
  // One that is cancelled has been replaced: there is nothing to wait for.
  await Promise.allSettled(play(dialog, 'reverse', to).map(({ finished }) => finished));
}

function play(
  dialog: HTMLDialogElement,
  direction: 'normal' | 'reverse',
  place: DOMRect | undefined,
): readonly Animation[] {
  const options = { duration: DURATION_MS, easing: EASING, direction, fill: 'both' } as const;
  const fading = [...dialog.querySelectorAll('[data-fades]')].map((element) =>
    element.animate([{ opacity: 0 }, {}], options),
  );
  const picture = dialog.querySelector('[data-picture]');
  if (!(picture instanceof HTMLElement)) return fading;
  const start = place === undefined ? { opacity: 0 } : { transform: flipTransform(place, restOf(picture)) };
  const moving = picture.animate([start, {}], options);
  if (direction === 'normal') void Promise.allSettled([...fading, moving].map(cancelAtEnd));
  return [...fading, moving];
}

/** `fill: both` would hold the picture at its place afterwards. */
async function cancelAtEnd(animation: Animation): Promise<void> {
  await animation.finished;
  animation.cancel();
}

/** Where it would be without its transform: not zoomed, not panned. */
function restOf(picture: HTMLElement): Box {
  const { left, top, width: shownWidth, height: shownHeight } = picture.getBoundingClientRect();
  const { e, f } = new DOMMatrix(getComputedStyle(picture).transform);
  const { offsetWidth: width, offsetHeight: height } = picture;
  return {
    left: left + (shownWidth - width) / 2 - e,
    top: top + (shownHeight - height) / 2 - f,
    width,
    height,
  };
}
