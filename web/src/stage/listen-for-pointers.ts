import { listen } from '../base/listen.ts';
import type { Gestures } from './gestures.ts';
import { sampleOf } from './pointer-samples.ts';

/** @returns a function that ends it */
export function listenForPointers(element: HTMLElement, gestures: Gestures): () => void {
  return listen(element, {
    pointerdown: (event) => {
      // A captured pointer would take the click from a button.
      if (event.button !== 0 || isOnButton(event)) return;
      element.setPointerCapture(event.pointerId);
      gestures.down(sampleOf(event, element));
    },
    pointermove: (event) => gestures.move(sampleOf(event, element)),
    pointerup: (event) => gestures.up(sampleOf(event, element)),
    pointercancel: ({ pointerId }) => gestures.cancel(pointerId),
  });
}

function isOnButton({ target }: PointerEvent): boolean {
  return target instanceof Element && target.closest('button') !== null;
}
