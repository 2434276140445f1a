import type { PointerSample } from './gestures.ts';
import { pointOf } from './point-of.ts';

export function sampleOf(event: PointerEvent, element: Element): PointerSample {
  const { pointerId: id, pointerType, timeStamp: time } = event;
  const kind = pointerType === 'touch' || pointerType === 'pen' ? pointerType : 'mouse';
  return { ...pointOf(event, element), id, kind, time };
}
