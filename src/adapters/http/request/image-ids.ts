import { z } from 'zod';

export const IMAGE_ID = 'ids of images';

const MAX_IDS = 500;
const IDS = `an array of 1 to ${MAX_IDS} ids`;

export function imageIds(id: z.ZodNumber) {
  return z
    .array(id, IDS)
    .min(1, IDS)
    .max(MAX_IDS, IDS)
    .meta({ description: 'Ids of images; duplicates count once.' });
}
