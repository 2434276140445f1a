import type { Point } from './geometry.ts';

/** From the centre of an element. */
export function pointOf({ clientX, clientY }: { clientX: number; clientY: number }, element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}
