import * as z from 'zod';
import { anySpace } from '../request/any-space.ts';
import { wholeNumberField } from '../request/whole-number-field.ts';
import { route } from '../route/route.ts';
import { EXAMPLE_SPACE, spaceStatus } from './space-view.ts';

const MAX_LIMITS_BYTES = 1024;

const LIMIT_FORM = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, null or "default"`;

const limit = z
  .union([wholeNumberField(0, Number.MAX_SAFE_INTEGER), z.literal('default'), z.null()], LIMIT_FORM)
  .optional();

const limits = z
  .strictObject({
    bytes: limit.describe('Bytes of originals. Null: no limit; `default`: `SPACE_MAX_BYTES`.'),
    images: limit.describe('Images. Null: no limit; `default`: `SPACE_MAX_IMAGES`.'),
  })
  .refine(({ bytes, images }) => bytes !== undefined || images !== undefined, {
    path: ['bytes'],
    error: 'given if "images" is not',
  });

export const setSpaceLimits = route(
  {
    method: 'put',
    path: '/api/spaces/limits',
    access: 'write',
    spansSpaces: true,
    changesCatalog: true,
    tag: 'Service',
    summary: 'Limit a space',
    description:
      'In force at once. A limit that is left out stays as it is. A space that has more than a new limit keeps its images. The space may be unknown: a limit is there before the first image. The token needs the scope for all spaces (`SCOPE_ALL_SPACES`), and no space.',
    query: z.strictObject({ space: anySpace.describe('The name of the space.') }),
    json: { schema: limits, maxBytes: MAX_LIMITS_BYTES, example: { bytes: 10737418240, images: null } },
    responses: {
      200: { description: 'The space, with the limits in force.', json: spaceStatus, example: EXAMPLE_SPACE },
    },
  },
  async ({ query: { space }, body }, { spaces }) => ({
    status: 200,
    body: await spaces.setLimits(space, body()),
  }),
);
