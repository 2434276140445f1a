import { z } from 'zod';
import { similarQuery } from '../similar/similar-query.ts';
import { similarImages } from '../similar/similar-view.ts';
import { exampleRecord } from './examples.ts';
import { cacheControl } from './headers.ts';
import type { Operation } from './operation.ts';

/** @param sizes of renditions, in pixels, ascending */
export function findSimilar(sizes: readonly number[]) {
  return {
    method: 'get',
    path: '/api/image/:id/similar',
    access: 'read',
    tag: 'Images',
    summary: 'Find look-alikes of an image',
    description:
      'Compares perceptual hashes of the pictures: copies in another size, format or quality, shots of a series, and pictures that look alike. Pictures without structure, such as a plain colour, match equal bytes alone.',
    query: similarQuery,
    responses: {
      200: {
        description: 'The look-alikes.',
        headers: z.object({ 'Cache-Control': cacheControl('no-store') }),
        json: similarImages,
        example: [{ image: exampleRecord(sizes), distance: 2, kind: 'copy' }],
      },
    },
    errors: ['storage_unavailable'],
  } as const satisfies Operation;
}
