import { z } from 'zod';
import { cacheControl } from '../openapi/headers.ts';
import type { Operation } from '../openapi/operation.ts';
import { archiveBody, MAX_ARCHIVE_BYTES } from './archive-body.ts';

export const archiveImagesOperation = {
  method: 'post',
  path: '/api/images/archive',
  access: 'read',
  tag: 'Bytes',
  summary: 'Download many originals as one ZIP file',
  description:
    'Streamed, in the order of the request, byte for byte and without compression. The last file, `missing.txt`, lists ids of no image, if there are any. If an original cannot be read, the connection breaks off before `Content-Length` bytes: an incomplete archive never looks whole. A subject can receive two archives at a time.',
  json: {
    mediaType: 'application/json',
    schema: archiveBody,
    maxBytes: MAX_ARCHIVE_BYTES,
    example: { ids: [1, 2] },
  },
  responses: {
    200: {
      description: 'The archive.',
      headers: z.object({
        'Cache-Control': cacheControl('no-store'),
        'Content-Disposition': z
          .literal('attachment; filename="images.zip"')
          .meta({ description: 'Browsers save the file.' }),
      }),
      bytes: ['application/zip'],
    },
  },
  errors: ['image_not_found', 'overloaded', 'storage_unavailable'],
} as const satisfies Operation;
