import * as z from 'zod';
import { foundImage } from '../../../domain/image/found-image.ts';
import { isJsonNotModified } from '../request/validators.ts';
import { ifNoneMatch } from '../route/headers.ts';
import { route } from '../route/route.ts';
import { metadataResponse, metadataValidators } from './metadata-response.ts';
import { metadataEtag, metadataView } from './metadata-view.ts';

export const getMetadata = route(
  {
    method: 'get',
    path: '/api/image/:id/metadata',
    access: 'read',
    tag: 'Metadata',
    summary: 'What people and the file say about an image',
    description:
      'Title, description, alternative text, tags, the time at which the image was taken, the point that crops keep, and what the file says. What a person sets for `takenAt` wins over the camera.',
    requestHeaders: z.object({ 'If-None-Match': ifNoneMatch }),
    responses: {
      200: metadataResponse,
      304: {
        description: 'The client has this version already.',
        cache: 'private, no-cache, no-transform',
        headers: metadataValidators,
      },
    },
  },
  async ({ ctx, space, id }, parts) => {
    const metadata = foundImage(await parts.metadata.in(space).find(id));
    const headers = { ETag: metadataEtag(metadata) };
    if (isJsonNotModified(ctx, headers.ETag)) return { status: 304, headers };
    return { status: 200, headers, body: metadataView(metadata) };
  },
);
