import * as z from 'zod';
import { EXAMPLE_IMAGE } from '../record/example-image.ts';
import { route } from '../route/route.ts';

const MAX_DIGESTS = 1000;
const DIGESTS = `an array of 1 to ${MAX_DIGESTS} digests`;
const DIGEST = '64 hexadecimal digits';

const lookUpBody = z.strictObject({
  sha256: z
    .array(
      z
        .string(DIGEST)
        .regex(/^[0-9a-fA-F]{64}$/, DIGEST)
        .toLowerCase(),
      DIGESTS,
    )
    .min(1, DIGESTS)
    .max(MAX_DIGESTS, DIGESTS)
    .describe('SHA-256 digests in hex, in either case.'),
});

export const lookUpImages = route(
  {
    method: 'post',
    path: '/api/images/lookup',
    access: 'read',
    tag: 'Images',
    summary: 'Find images by the digest of their bytes',
    description: 'Says before an upload which of these files the catalog has already.',
    json: {
      schema: lookUpBody,
      example: { sha256: [EXAMPLE_IMAGE.sha256, 'f'.repeat(64)] },
    },
    responses: {
      200: {
        description: 'The ids of the images by digest. Digests without an image are left out.',
        json: z
          .record(
            z.string().meta({ pattern: '^[0-9a-f]{64}$' }),
            z.array(z.int().min(1)).min(1).describe('Ascending.'),
          )
          .meta({ id: 'ImageIdsByDigest' }),
        example: { [EXAMPLE_IMAGE.sha256]: [EXAMPLE_IMAGE.id] },
      },
    },
  },
  async ({ space, body }, { images }) => ({
    status: 200,
    body: Object.fromEntries(await images.in(space).findIdsBySha256(body().sha256)),
  }),
);
