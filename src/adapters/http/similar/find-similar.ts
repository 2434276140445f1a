import * as z from 'zod';
import {
  DEFAULT_DISTANCE,
  DEFAULT_SIMILAR,
  MAX_DISTANCE,
  MAX_SIMILAR,
} from '../../../application/find/find-similar.ts';
import { callerOf } from '../auth/caller-of.ts';
import { exampleRecord } from '../record/example-image.ts';
import { wholeNumber } from '../request/read-query.ts';
import { route } from '../route/route.ts';
import { similarImages, similarView } from './similar-view.ts';

const similarQuery = z.strictObject({
  distance: wholeNumber(
    0,
    MAX_DISTANCE,
    'The bits of 64 in which the perceptual hashes may differ: 0 finds nearly equal images, 10 most edited copies, 16 also other images.',
    DEFAULT_DISTANCE,
  ),
  limit: wholeNumber(1, MAX_SIMILAR, 'The images at most.', DEFAULT_SIMILAR),
});

export const findSimilar = route(
  ({ renditions: { sizes } }) => ({
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
        json: similarImages,
        example: [{ image: exampleRecord(sizes), distance: 2, kind: 'copy' }],
      },
    },
    errors: ['overloaded'],
  }),
  async ({ ctx, space, id, query }, parts) => {
    const { distance = DEFAULT_DISTANCE, limit = DEFAULT_SIMILAR } = query;
    const found = await parts.findSimilar.execute(space, id, { distance, limit }, callerOf(ctx));
    return {
      status: 200,
      body: similarView(found, parts.settings),
    };
  },
);
