import type { Gestures } from './gestures.ts';
import { sampleOf } from './pointer-samples.ts';

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
