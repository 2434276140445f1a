import { foundImage } from '../../../domain/image/found-image.ts';
import { route } from '../route/route.ts';
import { fileQuery } from './file-query.ts';
import { FILE_ERRORS, fileConditions, fileResponses, redirect } from './file-responses.ts';
import { serveFile } from './serve-file.ts';

export const getImageFile = route(
  ({ renditions: { sizes }, redirects }) => ({
    method: 'get',
    path: '/api/image/:id/file',
    access: 'read',
    tag: 'Bytes',
    summary: 'The bytes of an image, or of a rendition',
    description:
      'Without parameters the original, exactly as uploaded. With `width`, `height`, `fit`, `format` or `quality` a rendition: never enlarged, upright, in sRGB, without EXIF, GPS and XMP. It is made once and cached. `cover` and `contain` need both sides.',
    query: fileQuery(sizes),
    requestHeaders: fileConditions,
    responses: { ...fileResponses, ...(redirects ? redirect : {}) },
    errors: FILE_ERRORS,
  }),
  async ({ ctx, space, id, query }, parts) =>
    await serveFile(ctx, parts, foundImage(await parts.images.in(space).findById(id)), query),
);
