import { z } from 'zod';
import { similarQuery } from '../similar/similar-query.ts';
import { similarImages } from '../similar/similar-view.ts';
import { EXAMPLE_RECORD } from './examples.ts';
import { cacheControl } from './headers.ts';
import type { Operation } from './operation.ts';

export const findSimilar = {
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
      example: [{ image: EXAMPLE_RECORD, distance: 2, kind: 'copy' }],
    },
  },
  errors: ['storage_unavailable'],
} as const satisfies Operation;
