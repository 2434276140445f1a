import * as z from 'zod';
import { EXAMPLE_IMAGE } from '../record/example-image.ts';
import { route } from '../route/route.ts';
import { lookUpBody } from './look-up-body.ts';

const MAX_LOOK_UP_BYTES = 256 * 1024;

export const lookUpImages = route(
  {
    method: 'post',
    path: '/api/images/lookup',
    access: 'read',
    tag: 'Images',
    summary: 'Find images by the digest of their bytes',
    description: 'Says before an upload which of these files the catalog has already.',
    json: {
      mediaType: 'application/json',
      schema: lookUpBody,
      maxBytes: MAX_LOOK_UP_BYTES,
      example: { sha256: [EXAMPLE_IMAGE.sha256, 'f'.repeat(64)] },
    },
    responses: {
      200: {
        description: 'The ids of the images by digest. Digests without an image are left out.',
        cache: 'no-store',
        json: z
          .record(
            z.string().meta({ pattern: '^[0-9a-f]{64}$' }),
            z.array(z.int().min(1)).min(1).describe('Ascending.'),
          )
          .meta({ id: 'ImageIdsByDigest' }),
        example: { [EXAMPLE_IMAGE.sha256]: [EXAMPLE_IMAGE.id] },
      },
    },
    errors: ['storage_unavailable'],
  },
  async ({ space, body }, { images }) => ({
    status: 200,
    body: Object.fromEntries(await images.in(space).findIdsBySha256(body().sha256)),
  }),
  ['images'],
);
