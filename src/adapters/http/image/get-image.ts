import * as z from 'zod';
import { foundImage } from '../../../domain/image/found-image.ts';
import { fileQuery, mediaTypesOf } from '../bytes/file-query.ts';
import {
  bytesHeaders,
  FILE_ERRORS,
  fileConditions,
  fileResponses,
  IMAGE_TYPES,
  redirect,
} from '../bytes/file-responses.ts';
import { serveFile } from '../bytes/serve-file.ts';
import { RequestError } from '../errors/request-error.ts';
import { exampleRecord } from '../record/example-image.ts';
import { imageRecord, imageView } from '../record/image-view.ts';
import { boundedAccept } from '../request/bounded-accept.ts';
import { etagOf } from '../request/validators.ts';
import { etag } from '../route/headers.ts';
import { route } from '../route/route.ts';

export const getImage = route(
  ({ renditions: { sizes }, redirects }) => ({
    method: 'get',
    path: '/api/image/:id',
    access: 'read',
    tag: 'Images',
    summary: 'The record of an image, or its bytes',
    description:
      'JSON, unless `Accept` prefers `image/*` or the type of the image: then the bytes, as from `/file`, with its parameters. `*/*` means JSON. The `ETag` of the record is that of the bytes of the original, for `If-Match` with `DELETE`.',
    query: fileQuery(sizes),
    requestHeaders: fileConditions,
    responses: {
      ...fileResponses,
      ...(redirects ? redirect : {}),
      200: {
        description: 'The record or the bytes.',
        headers: bytesHeaders.partial().extend({
          ETag: etag,
          'Cache-Control': z
            .enum(['no-store, no-transform', 'private, max-age=300'])
            .describe('`no-store, no-transform` for the record.'),
        }),
        json: imageRecord,
        bytes: IMAGE_TYPES,
        example: exampleRecord(sizes),
      },
    },
    errors: FILE_ERRORS,
  }),
  async ({ ctx, space, id, query }, parts) => {
    ctx.vary('Accept');
    const image = foundImage(await parts.images.in(space).findById(id));
    const types = ['application/json', ...mediaTypesOf(image, query)];
    const type = boundedAccept(ctx)(...types);
    if (type === false) throw new RequestError('not_acceptable', `Only ${types.join(', ')} can be served`);
    if (type !== 'application/json') return await serveFile(ctx, parts, image, query);
    // The ETag is that of the bytes, which this URL serves as well; clients send it in If-Match. A cache must not store the
    // record with it: Chromium revalidates across Vary by ETag alone and would show the bytes for the record.
    return {
      status: 200,
      headers: { ETag: etagOf(image), 'Cache-Control': 'no-store, no-transform' },
      body: imageView(image, parts.settings),
    };
  },
);
