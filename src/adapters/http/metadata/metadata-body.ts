import { z } from 'zod';
import type { MetadataPatch } from '../../../domain/image/metadata.ts';
import { IMAGE_ID, imageIds } from '../request/image-ids.ts';

export const MAX_PATCH_BYTES = 64 * 1024;
export const MAX_TAGGING_BYTES = 256 * 1024;

const TEXT = 'text or null';
const TAGS = 'an array of texts';

/** The domain checks the values. */
export const metadataPatch = z.strictObject({
  title: z.string(TEXT).nullable().optional(),
  description: z.string(TEXT).nullable().optional(),
  tags: z
    .array(z.string(TAGS), `${TAGS}, or null`)
    .nullable()
    .optional()
    .meta({ description: 'Replaced as a whole.' }),
  takenAt: z.string(TEXT).nullable().optional().meta({
    description: 'RFC 3339 with seconds, with or without an offset. Null: back to that of the camera.',
  }),
}) satisfies z.ZodType<MetadataPatch>;

const tagList = z.array(z.string(TAGS), TAGS).optional();

export const taggingBody = z
  .strictObject({
    ids: imageIds(z.int(IMAGE_ID).min(1, IMAGE_ID)),
    addTags: tagList.meta({ description: 'Added after the removals.' }),
    removeTags: tagList,
  })
  .refine(({ addTags = [], removeTags = [] }) => addTags.length + removeTags.length > 0, {
    path: ['addTags'],
    message: 'not empty, or removeTags must be',
  });
