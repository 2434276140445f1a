import { thumbhashDataUrl } from '@image-catalog/client';

/** The properties of `<NuxtImg>` for each published name. */
export default defineEventHandler(async () => {
  const pictures = await listPictures();
  return pictures.map(({ name, record }) => ({
    src: name.url,
    width: record.width,
    height: record.height,
    alt: record.alt ?? record.title ?? 'A picture',
    placeholder: thumbhashDataUrl(record),
  }));
});
