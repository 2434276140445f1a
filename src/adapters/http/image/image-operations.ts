import { z } from 'zod';
import {
  bytesHeaders,
  FILE_ERRORS,
  type FileSettings,
  fileConditions,
  fileResponses,
  IMAGE_TYPES,
  redirect,
} from '../bytes/file-operation.ts';
import { etag, ifMatch } from '../openapi/headers.ts';
import type { Operation } from '../openapi/operation.ts';
import { exampleRecord } from './example-image.ts';
import { imageRecord } from './image-view.ts';

export function getImageOperation({ sizes, query, redirects }: FileSettings) {
  return {
    method: 'get',
    path: '/api/image/:id',
    access: 'read',
    tag: 'Images',
    summary: 'The record of an image, or its bytes',
    description:
      'JSON, unless `Accept` prefers `image/*` or the type of the image: then the bytes, as from `/file`, with its parameters. `*/*` means JSON. The `ETag` of the record is that of the bytes of the original, for `If-Match` with `DELETE`.',
    query,
    requestHeaders: fileConditions,
    responses: {
      ...fileResponses,
      ...(redirects ? redirect : {}),
      200: {
        description: 'The record or the bytes.',
        headers: bytesHeaders.partial().extend({
          ETag: etag,
          'Cache-Control': z.enum(['no-store', 'private, max-age=300']).meta({
            description: '`no-store` for the record.',
          }),
        }),
        json: imageRecord,
        bytes: IMAGE_TYPES,
        example: exampleRecord(sizes),
      },
    },
    errors: FILE_ERRORS,
  } as const satisfies Operation;
}

export const deleteImageOperation = {
  method: 'delete',
  path: '/api/image/:id',
  access: 'delete',
  changesCatalog: true,
  tag: 'Images',
  summary: 'Delete an image',
  description:
    'The record is gone at once for every reader; the bytes and the renditions follow. A second delete is 404. If the service keeps a trash (`TRASH_DAYS`), the image can be restored from there.',
  requestHeaders: z.object({ 'If-Match': ifMatch }),
  responses: { 204: { description: 'The image is deleted.' } },
  errors: ['image_not_found', 'precondition_failed', 'storage_unavailable'],
} as const satisfies Operation;
