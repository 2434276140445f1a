import type { ImageCatalog, ImageRecord } from '../../client/src/node.ts';

/** Pixels: what assistants look at. */
const MAX_WIDTH = 1080;

export interface View {
  readonly value: object;
  /** Base64. */
  readonly picture?: { readonly mimeType: string; readonly data: string };
}

/** What an assistant decides by. */
export function summaryOf(record: ImageRecord): object {
  const { links: _links, filename: _filename, sha256: _sha256, thumbhash: _thumbhash, ...summary } = record;
  return summary;
}

/**
 * All that is said about an image with its `version` for `edit_metadata`; and the image in the largest width that the service has
 * up to 1,080 pixels, as base64, unless it has none.
 */
export async function lookAt(images: ImageCatalog, id: number, signal: AbortSignal): Promise<View> {
  const record = await images.get(id, { signal });
  const { etag, ...metadata } = await images.metadata(id, { signal });
  const width = record.links.renditions.widths.findLast((pixels) => pixels <= MAX_WIDTH);
  const value = { ...summaryOf(record), version: etag, ...metadata };
  if (width === undefined) return { value };
  const view = await images.file(id, { width, format: 'jpeg', signal });
  const data = Buffer.from(await view.arrayBuffer()).toString('base64');
  return { value, picture: { mimeType: 'image/jpeg', data } };
}
