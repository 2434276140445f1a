import type { ImageRecord } from '@image-catalog/client';
import { texts } from '../languages/texts.ts';
import type { LinkCache } from './link-cache.ts';
import { outputSize, renditionWidths } from './rendition-choice.ts';
import { saveFile } from './save-file.ts';

export interface DownloadSize {
  /** Of the rendition. */
  readonly width: number;
  /** As in `1,920 × 1,080`. */
  readonly label: string;
}

export async function downloadOriginal(links: LinkCache, id: number): Promise<void> {
  saveFile(await links.url(id, { download: true }));
}

export async function downloadRendition(
  links: LinkCache,
  id: number,
  rendition: { readonly width: number; readonly format: 'jpeg' | 'webp' },
): Promise<void> {
  saveFile(await links.url(id, { ...rendition, download: true }));
}

/** The largest first; of sizes that people send and print, not of icons. */
export function downloadSizes(record: ImageRecord): readonly DownloadSize[] {
  const { number } = texts.formats;
  return renditionWidths(record)
    .filter((width) => width >= 320 || width >= record.width)
    .map((width) => {
      const [across, down] = outputSize(width, record.width, record.height);
      return { width, label: `${number(across)} × ${number(down)}` };
    })
    .toReversed();
}
