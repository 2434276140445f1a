import { z } from 'zod';
import { cacheControl } from '../route/headers.ts';
import { route } from '../route/route.ts';

const images = z.int().min(0).meta({ description: 'Images.' });

const bytes = z.int().min(0).meta({ description: 'Bytes of their originals.' });

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
        headers: z.object({ 'Cache-Control': cacheControl('no-store') }),
        json: z
          .object({
            images,
            bytes,
            trashed: z
              .object({ images, bytes })
              .meta({ description: 'What is in the trash. The numbers above are without it.' }),
            limits: z
              .object({ images: images.nullable(), bytes: bytes.nullable() })
              .meta({ description: 'The most that the space may hold; null: there is no limit.' }),
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
    errors: ['storage_unavailable'],
  },
  async ({ space }, { spaces }) => {
    const { images, bytes, trashed, limits } = await spaces.find(space);
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: { images, bytes, trashed, limits },
    };
  },
  ['spaces'],
);
