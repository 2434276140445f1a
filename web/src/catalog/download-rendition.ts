import type { LinkCache } from './link-cache.ts';
import { saveFile } from './save-file.ts';

export async function downloadRendition(
  links: LinkCache,
  id: number,
  rendition: { readonly width: number; readonly format: 'jpeg' | 'webp' },
): Promise<void> {
  saveFile(await links.url(id, { ...rendition, download: true }));
}
