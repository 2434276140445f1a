import * as z from 'zod';
import { route } from '../route/route.ts';
import { EXAMPLE_USAGE, usageFields } from './usage-schemas.ts';

export const getUsage = route(
  {
    method: 'get',
    path: '/api/usage',
    access: 'read',
    tag: 'Service',
    summary: 'What the space of the token holds',
    description:
      'Exact at any time, and as fast for a large space as for a small one. The limits count the trash as well, and no renditions; an upload that would pass one is 403 `quota_exceeded`.',
    responses: {
      200: {
        description: 'Numbers and limits.',
        json: z.object(usageFields).meta({ id: 'Usage' }),
        example: EXAMPLE_USAGE,
      },
    },
  },
  async ({ space }, { spaces }) => {
    const { images, bytes, trashed, limits } = await spaces.find(space);
    return {
      status: 200,
      body: { images, bytes, trashed, limits },
    };
  },
);
