import { z } from 'zod';
import { exampleRecord } from '../image/example-image.ts';
import { cacheControl } from '../openapi/headers.ts';
import type { Operation } from '../openapi/operation.ts';
import { similarQuery } from './similar-query.ts';
import { similarImages } from './similar-view.ts';

/** @param sizes of renditions, in pixels, ascending */
export function findSimilarOperation(sizes: readonly number[]) {
  return {
    method: 'get',
    path: '/api/image/:id/similar',
    access: 'read',
    tag: 'Images',
    summary: 'Find similar images of an image',
    description:
      'Compares perceptual hashes of the images: copies in another size, format or quality, shots of a series, and images that look alike. Images without structure, such as a plain colour, match equal bytes alone.',
    query: similarQuery,
    responses: {
      200: {
        description: 'The similar images.',
        headers: z.object({ 'Cache-Control': cacheControl('no-store') }),
        json: similarImages,
        example: [{ image: exampleRecord(sizes), distance: 2, kind: 'copy' }],
      },
    },
    errors: ['overloaded', 'storage_unavailable'],
  } as const satisfies Operation;
}
