import type { Point } from './geometry.ts';
import type { PointerSample } from './gestures.ts';

export function sampleOf(event: PointerEvent, element: Element): PointerSample {
  const { pointerId: id, pointerType, timeStamp: time } = event;
  const kind = pointerType === 'touch' || pointerType === 'pen' ? pointerType : 'mouse';
  return { ...pointOf(event, element), id, kind, time };
}

/** From the centre of an element. */
export function pointOf({ clientX, clientY }: { clientX: number; clientY: number }, element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}
