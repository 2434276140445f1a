import type { ImageRecord } from '@image-catalog/client';
import { outputSize } from './output-size.ts';

/** Limits of WebP: contract, section 5. */
const MAX_PIXELS = 16_800_000;

const MAX_SIDE = 16_383;

/** Without those that lead to the same pixels, since the service never enlarges. */
export function renditionWidths({ width, height, links }: ImageRecord): readonly number[] {
  const { widths } = links.renditions;
  const first = widths.findIndex((candidate) => candidate >= width);
  const useful = first === -1 ? widths : widths.slice(0, first + 1);
  return useful.filter((candidate) => {
    const [across, down] = outputSize(candidate, width, height);
    return across * down <= MAX_PIXELS && Math.max(across, down) <= MAX_SIDE;
  });
}
