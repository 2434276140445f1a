import type { ImageRecord } from '@image-catalog/client';
import { renditionWidths } from './rendition-widths.ts';

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
