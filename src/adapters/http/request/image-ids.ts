import * as z from 'zod';

export const IMAGE_ID = 'the id of an image';

/** `z.int` refuses ids that are too large for any database; to a client they are missing. */
export function anyImageId(): z.ZodNumber {
  return z
    .number(IMAGE_ID)
    .refine(Number.isInteger, IMAGE_ID)
    .min(1, IMAGE_ID)
    .meta({ wire: { type: 'integer', minimum: 1 } });
}

const MAX_IDS = 500;

export function imageIds(id: z.ZodNumber, maxIds = MAX_IDS) {
  const rule = `an array of 1 to ${maxIds} ids`;
  return z.array(id, rule).min(1, rule).max(maxIds, rule).describe('Ids of images; duplicates count once.');
}
