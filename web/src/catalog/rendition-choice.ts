import type { ImageRecord } from '@image-catalog/client';

/** Limits of WebP: contract, section 5. */
const MAX_PIXELS = 16_800_000;
const MAX_SIDE = 16_383;

/** A rendition that is this much too small still looks sharp. */
const TOLERANCE = 1.25;

export interface Needed {
  /** At zoom 1, pixels of CSS. */
  readonly fitted: Pick<ImageRecord, 'width'>;
  readonly zoom: number;
  /** Pixels of the screen for one pixel of CSS. */
  readonly pixelRatio: number;
}

/**
 * The width of the rendition that is sharp enough, or `original` if none is: the picture is larger than the largest
 * rendition, and zoomed beyond it.
 */
export function chooseWidth(record: ImageRecord, { fitted, zoom, pixelRatio }: Needed): number | 'original' {
  const needed = Math.min(record.width, Math.ceil(fitted.width * zoom * pixelRatio));
  const possible = renditionWidths(record);
  const width = possible.find((candidate) => candidate >= needed);
  if (width !== undefined) return width;
  const largest = possible.at(-1);
  if (largest === undefined) return 'original';
  return needed <= largest * TOLERANCE ? largest : 'original';
}

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

/** Pixels of a rendition. */
export function outputSize(renditionWidth: number, width: number, height: number): readonly [number, number] {
  const across = Math.min(renditionWidth, width);
  return [across, Math.max(1, Math.round((across * height) / width))];
}
