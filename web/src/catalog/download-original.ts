import type { LinkCache } from './link-cache.ts';
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
