import type { ImageCatalog, ImageRecord } from '../../client/src/node.ts';

/** Pixels of the longer side: what assistants look at. */
const MAX_SIDE = 1080;
/** Characters of base64 that the host of an assistant gets for one picture. */
const MAX_BASE64 = 1_000_000;

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
 * All that is said about an image with its `version` for `edit_metadata`; and the image, unless the service has no size that is small
 * enough.
 */
export async function lookAt(images: ImageCatalog, id: number, signal: AbortSignal): Promise<View> {
  const record = await images.get(id, { signal });
  const { etag, ...metadata } = await images.metadata(id, { signal });
  const value = { ...summaryOf(record), version: versionOf(etag), ...metadata };
  const data = await readPicture(images, record, signal);
  return data === undefined ? { value } : { value, picture: { mimeType: 'image/jpeg', data } };
}

/** The number in an ETag of metadata such as `"m2"`; `undefined` if a proxy has removed the header. */
export function versionOf(etag: string): number | undefined {
  const [, digits] = /"m(\d+)/.exec(etag) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Neither side is longer than the largest size of the service up to 1,080 pixels whose file is small enough. */
async function readPicture(
  images: ImageCatalog,
  { id, links }: ImageRecord,
  signal: AbortSignal,
): Promise<string | undefined> {
  const sides = links.renditions.widths.filter((pixels) => pixels <= MAX_SIDE);
  for (const side of sides.toSorted((a, b) => b - a)) {
    const box = { width: side, height: side, fit: 'inside', format: 'jpeg' } as const;
    const view = await images.file(id, { ...box, signal });
    const data = Buffer.from(await view.arrayBuffer()).toString('base64');
    if (data.length <= MAX_BASE64) return data;
  }
  return undefined;
}
