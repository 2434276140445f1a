import * as z from 'zod';
import type { MetadataPatch } from '../../../domain/image/image-metadata.ts';
import { type EditRequest, SHIFT } from '../../../domain/image/metadata-edit.ts';
import { IMAGE_ID, imageIds } from '../request/image-ids.ts';

const TEXT = 'text or null';
const TAGS = 'an array of texts';
const FOCUS = 'x and y, or null';
const PATCH = 'an object';
const FRACTION = 'a number from 0 to 1';

/** The domain checks the values. */
export const metadataPatch = z.strictObject(
  {
    title: z.string(TEXT).nullable().optional(),
    description: z.string(TEXT).nullable().optional(),
    tags: z.array(z.string(TAGS), `${TAGS}, or null`).nullable().optional().describe('Replaced as a whole.'),
    focus: z
      .strictObject({ x: z.number(FRACTION), y: z.number(FRACTION) }, FOCUS)
      .nullable()
      .optional()
      .meta({
        description: 'The point that crops keep. Replaced as a whole. Null: they keep the middle.',
        examples: [{ x: 0.5, y: 0.25 }],
      }),
    takenAt: z
      .string(TEXT)
      .nullable()
      .optional()
      .describe('RFC 3339 with seconds, with or without an offset. Null: back to that of the camera.'),
  },
  PATCH,
) satisfies z.ZodType<MetadataPatch>;

const tagList = z.array(z.string(TAGS), TAGS).optional();

export const editBody = z
  .strictObject({
    ids: imageIds(z.int(IMAGE_ID).min(1, IMAGE_ID)),
    title: z.string(TEXT).nullable().optional().describe('Null clears.'),
    description: z.string(TEXT).nullable().optional().describe('Null clears.'),
    addTags: tagList.describe('Added after the removals.'),
    removeTags: tagList,
    shiftTaken: z
      .string('text')
      .optional()
      .meta({
        description:
          'A sign and an ISO 8601 duration of days, hours, minutes and seconds, at most 36,500 days: moves the time at which each picture was taken, and keeps its offset. Images without a time stay as they are.',
        wire: { type: 'string', pattern: SHIFT },
        examples: ['-PT1H30M'],
      }),
  })
  .refine(hasChange, {
    path: ['addTags'],
    message: 'not empty, or there must be removeTags, title, description or shiftTaken',
  });

function hasChange({ addTags = [], removeTags = [], title, description, shiftTaken }: EditRequest): boolean {
  const isGiven = [title, description, shiftTaken].some((value) => value !== undefined);
  return isGiven || addTags.length + removeTags.length > 0;
}
