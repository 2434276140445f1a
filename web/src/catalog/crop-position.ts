import type { Focus } from '@image-catalog/client';

interface Sides {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export const MIDDLE: Focus = { x: 0.5, y: 0.5 };

/**
 * `object-position` of a picture with `object-fit: cover`. It shows what the service keeps with `fit=cover`: the focus as near
 * to the middle as the edges allow.
 *
 * @param ratio width by height of the box
 */
export function cropPosition({ width, height }: Sides, ratio: number, focus: Focus | null = MIDDLE): string {
  const { x, y } = focus ?? MIDDLE;
  const shownWidth = (ratio * height) / width;
  return `${percentOf(x, shownWidth)}% ${percentOf(y, 1 / shownWidth)}%`;
}

/** @param shown the part of the side that the box shows */
function percentOf(at: number, shown: number): number {
  if (shown >= 1) return 50;
  const rest = 1 - shown;
  return (Math.min(Math.max(at - shown / 2, 0), rest) / rest) * 100;
}
