import * as z from 'zod';

const images = z.int().min(0).describe('Images.');

const bytes = z.int().min(0).describe('Bytes of their originals.');

/** What a space holds, and how much it may hold. */
export const usageFields = {
  images,
  bytes,
  trashed: z.object({ images, bytes }).describe('What is in the trash. The numbers above are without it.'),
  limits: z
    .object({ images: images.nullable(), bytes: bytes.nullable() })
    .describe('The most that the space may hold; null: there is no limit.'),
};

export const EXAMPLE_USAGE = {
  images: 1,
  bytes: 240512,
  trashed: { images: 0, bytes: 0 },
  limits: { images: null, bytes: 10737418240 },
};
