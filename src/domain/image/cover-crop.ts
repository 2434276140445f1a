import type { Box } from './box.ts';
import type { Focus } from './focus.ts';

/** Where a box is cut out of an image that was resized to these sides: pixels. */
export interface Crop extends Box {
  readonly left: number;
  readonly top: number;
}

/** The image just fills the box, with the focus as near to the middle of the box as the edges of the image allow. */
export function coverCrop(image: Box, box: Box, { x, y }: Focus): Crop {
  const scale = Math.max(box.width / image.width, box.height / image.height);
  const width = Math.max(box.width, Math.round(image.width * scale));
  const height = Math.max(box.height, Math.round(image.height * scale));
  return { width, height, left: startOf(box.width, width, x), top: startOf(box.height, height, y) };
}

function startOf(part: number, whole: number, at: number): number {
  return Math.min(Math.max(Math.round(whole * at - part / 2), 0), whole - part);
}
