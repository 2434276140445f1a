/**
 * Uses every call of the client once, in a page or in Node.js. Each property of the result is a fact to compare.
 *
 * @param {typeof import('@image-catalog/client')} client
 * @param {{ url: string, tokens: readonly string[], picture: Blob }} options the tokens in the order in which they are given
 */
export async function roundTrip({ CatalogError, ImageCatalog, thumbhashDataUrl }, { url, tokens, picture }) {
  const given = [...tokens];
  const images = new ImageCatalog({ url, getToken: () => given.shift() ?? '' });
  const progress = [];
  const record = await images.upload(picture, {
    name: 'Zoë "cat".png',
    onProgress: ({ loaded, total }) => progress.push([loaded, total]),
  });
  const listed = [];
  for await (const { id } of images.list({ limit: 1 })) listed.push(id);
  const original = await (await images.file(record.id)).blob();
  const range = await images.file(record.id, { range: { start: 1, end: 3 } });
  const rendition = await images.file(record.id, { width: 16, format: 'webp' });
  const refused = await images.upload(new Blob(['no image']), { name: 'x' }).catch((error) => error);
  const found = await images.lookup([record.sha256]);
  await images.delete(record.id);
  const missing = await images.get(record.id).catch((error) => error);
  return {
    tokensLeft: given.length,
    name: record.originalName,
    sha256: record.sha256,
    listed: listed.includes(record.id),
    lastProgress: progress.at(-1),
    originalSize: original.size,
    range: await range.text(),
    rendition: rendition.headers.get('content-type'),
    placeholder: thumbhashDataUrl(record).startsWith('data:image/png;base64,'),
    refused: refused instanceof CatalogError && [refused.status, refused.code],
    missing: missing instanceof CatalogError && [missing.status, missing.code],
    found: [...found.values()].flat().includes(record.id),
    srcset: images.srcset(record).split(', ').length,
  };
}
