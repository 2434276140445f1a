import type { ImageRecord } from '@image-catalog/client';
import { formats } from '../languages/formats.ts';
import { outputSize } from './output-size.ts';
import { renditionWidths } from './rendition-widths.ts';

interface DownloadSize {
  /** Of the rendition. */
  readonly width: number;
  /** As in `1,920 × 1,080`. */
  readonly label: string;
}

/** The largest first; of sizes that people send and print, not of icons. */
export function downloadSizes(record: ImageRecord): readonly DownloadSize[] {
  const { number } = formats();
  return renditionWidths(record)
    .filter((width) => width >= 320 || width >= record.width)
    .map((width) => {
      const [across, down] = outputSize(width, record.width, record.height);
      return { width, label: `${number(across)} × ${number(down)}` };
    })
    .toReversed();
}
