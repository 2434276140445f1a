import type { LinkRendition } from '@image-catalog/client';
import type { LinkCache } from './link-cache.ts';
import { saveFile } from './save-file.ts';

/** @param rendition without it, the original */
export async function downloadFile(
  links: LinkCache,
  id: number,
  rendition: LinkRendition = {},
): Promise<void> {
  saveFile(await links.url(id, { ...rendition, download: true }));
}
