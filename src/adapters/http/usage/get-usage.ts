import * as z from 'zod';
import { route } from '../route/route.ts';

const images = z.int().min(0).describe('Images.');

const bytes = z.int().min(0).describe('Bytes of their originals.');

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
        json: z
          .object({
            images,
            bytes,
            trashed: z
              .object({ images, bytes })
              .describe('What is in the trash. The numbers above are without it.'),
            limits: z
              .object({ images: images.nullable(), bytes: bytes.nullable() })
              .describe('The most that the space may hold; null: there is no limit.'),
          })
          .meta({ id: 'Usage' }),
        example: {
          images: 1,
          bytes: 240512,
          trashed: { images: 0, bytes: 0 },
          limits: { images: null, bytes: 10737418240 },
        },
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
