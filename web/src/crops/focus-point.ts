import type { Focus } from '@image-catalog/client';
import { MIDDLE } from '../catalog/crop-position.ts';

const STEP = 0.01;
const LARGE_STEP = 0.1;

const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** @param box where the picture is shown */
export function focusAt(box: DOMRectReadOnly, clientX: number, clientY: number): Focus {
  return onPicture((clientX - box.left) / box.width, (clientY - box.top) / box.height);
}

/** `undefined` if the key moves nothing. */
export function focusAfter(
  focus: Focus | null,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
): Focus | undefined {
  const direction = DIRECTIONS[key];
  if (direction === undefined) return undefined;
  const { x, y } = focus ?? MIDDLE;
  const step = shiftKey ? LARGE_STEP : STEP;
  return onPicture(x + direction[0] * step, y + direction[1] * step);
}

export function isSameFocus(one: Focus | null, other: Focus | null): boolean {
  return one?.x === other?.x && one?.y === other?.y;
}

/** The service takes thousandths. */
function onPicture(x: number, y: number): Focus {
  const [left, top] = [x, y].map((part) => Math.round(Math.min(Math.max(part, 0), 1) * 1000) / 1000);
  return { x: left ?? 0, y: top ?? 0 };
}
